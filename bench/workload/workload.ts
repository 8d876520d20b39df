/**
 * All bytes of a run, made once from a seed, kept in files that the engine and load processes read.
 *
 * Contract   the same shape, seed and checkpoint give the same bytes; the hashes prove it. Memory
 *            and files hold one copy of the longest body, not one a turn.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Checkpoint } from "../../src/tokenizer/checkpoint.ts";
import { makeConversation } from "./conversation.ts";
import { makeReplayText, replayCharacters } from "./replay-text.ts";
import { makeReplyTexts, type ReplyText, replyBody } from "./reply-text.ts";
import { makeRequestText, type RequestText, requestBody } from "./request-text.ts";
import type { Shape } from "./shape.ts";

export interface Workload {
  readonly shape: Shape;
  readonly seed: number;
  readonly requests: RequestText;
  readonly replies: readonly ReplyText[];
  readonly replayText: Uint8Array;
}

export interface WorkloadSummary {
  readonly seed: number;
  /** Of all bodies of session 0, in order: 16 hex digits. */
  readonly requestsHash: string;
  readonly repliesHash: string;
  /** Bytes of all bodies of one session. */
  readonly requestBytes: number;
  readonly replyBytes: number;
  /** Bytes of the last reply, the longest one under accumulated R3. */
  readonly lastReplyBytes: number;
  /** Characters of the replay payloads of one session, which a full-records GET must bring. */
  readonly payloadCharacters: number;
  /** Tokens of a session at its end. */
  readonly tokens: number;
}

export interface StoredWorkload {
  readonly directory: string;
  readonly summary: WorkloadSummary;
  remove(): void;
}

const descriptionFile = "workload.json";
const messagesFile = "messages.bin";
const replayFile = "replay.bin";

/** Makes the bytes and writes them into a new temporary directory. */
export async function storeWorkload(
  shape: Shape,
  seed: number,
  checkpoint: Checkpoint,
): Promise<StoredWorkload> {
  const { turns, ...conversation } = await makeConversation(shape, seed, checkpoint);
  const requests = makeRequestText(shape, { ...conversation, turns });
  const replies = makeReplyTexts(shape, turns);
  const payloadEnds = replies.map(({ payload }) =>
    payload === null ? 0 : payload.skippedBytes + payload.byteLength,
  );
  const replayText = makeReplayText(Math.max(...payloadEnds), shape.sessions, seed);
  const workload: Workload = { shape, seed, requests, replies, replayText };
  const last = turns.at(-1);
  const tokens = last === undefined ? 0 : last.promptTokens + last.completion.tokens.length;

  const directory = mkdtempSync(join(tmpdir(), "session-server-bench-"));
  try {
    const { messages, ...requestPieces } = requests;
    await Promise.all([
      Bun.write(join(directory, messagesFile), messages),
      Bun.write(join(directory, replayFile), replayText),
      Bun.write(
        join(directory, descriptionFile),
        JSON.stringify({ shape, seed, requestPieces, replies }),
      ),
    ]);
  } catch (error) {
    rmSync(directory, { recursive: true, force: true });
    throw error;
  }
  return {
    directory,
    summary: { ...summarize(workload), tokens },
    remove: () => rmSync(directory, { recursive: true, force: true }),
  };
}

/** Reads a stored workload; the large files are mapped, so that processes share their memory. */
export async function loadWorkload(directory: string): Promise<Workload> {
  const text = await Bun.file(join(directory, descriptionFile)).text();
  const { shape, seed, requestPieces, replies } = JSON.parse(text) as Omit<Workload, "requests"> & {
    requestPieces: Omit<RequestText, "messages">;
  };
  const messages = mapped(join(directory, messagesFile));
  const replayText = mapped(join(directory, replayFile));
  return { shape, seed, requests: { ...requestPieces, messages }, replies, replayText };
}

/** An empty file cannot be mapped. */
function mapped(path: string): Uint8Array {
  return Bun.file(path).size === 0 ? new Uint8Array(0) : Bun.mmap(path);
}

function summarize(workload: Workload): Omit<WorkloadSummary, "tokens"> {
  const { seed, requests, replies, replayText } = workload;
  const requestHash = new BodyHash();
  const replyHash = new BodyHash();
  for (const [turnIndex, reply] of replies.entries()) {
    requestHash.add(requestBody(requests, 0, turnIndex));
    replyHash.add(replyBody(reply, replayText, 0));
  }
  return {
    seed,
    requestsHash: requestHash.digest,
    repliesHash: replyHash.digest,
    requestBytes: requestHash.byteLength,
    replyBytes: replyHash.byteLength,
    lastReplyBytes: replies.at(-1)?.byteLength ?? 0,
    payloadCharacters: replies.reduce(
      (sum, { payload }) => sum + replayCharacters(payload?.byteLength ?? 0),
      0,
    ),
  };
}

/** wyhash of each piece, seeded with that of the one before: gigabytes take tenths of a second. */
class BodyHash {
  byteLength = 0;
  #state = 0n;

  add(pieces: readonly Uint8Array[]): void {
    for (const piece of pieces) {
      this.byteLength += piece.length;
      this.#state = Bun.hash.wyhash(piece as Uint8Array<ArrayBuffer>, this.#state);
    }
  }

  get digest(): string {
    return this.#state.toString(16).padStart(16, "0");
  }
}
