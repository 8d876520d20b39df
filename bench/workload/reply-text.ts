/**
 * The engine's replies as pieces: for each turn what stands before and after the replay payload, in
 * the mock engine's own JSON, and where in the replay text the payload is.
 */
import { chatReplyBody } from "../../src/mock-engine/chat-reply.ts";
import type { ConversationTurn } from "./conversation.ts";
import { type ReplaySlice, replayCharacters, replayPayload } from "./replay-text.ts";
import { modelName } from "./request-text.ts";
import type { Shape } from "./shape.ts";

export interface ReplyText {
  /** JSON up to the payload's first character; the whole reply when there is no payload. */
  readonly opening: string;
  readonly closing: string;
  /** null when the shape has no R3. */
  readonly payload: ReplaySlice | null;
  /** Bytes of the whole body. */
  readonly byteLength: number;
}

/** Stands in the reply of this turn and of no other, whatever a server does to its JSON. */
export function replyId(turnIndex: number): string {
  return `chatcmpl-${replyDigits(turnIndex)}`;
}

function replyDigits(turnIndex: number): string {
  return String(turnIndex).padStart(32, "0");
}

export function makeReplyTexts(shape: Shape, turns: readonly ConversationTurn[]): ReplyText[] {
  let skippedBytes = 0;
  return turns.map((turn, index) => {
    const payload = payloadSlice(shape, turn, skippedBytes);
    if (shape.r3 === "incremental") skippedBytes += payload?.byteLength ?? 0;
    const { opening, closing } = replyPieces(turn, index, payload !== null);
    const byteLength =
      Buffer.byteLength(opening) +
      Buffer.byteLength(closing) +
      replayCharacters(payload?.byteLength ?? 0);
    return { opening, closing, payload, byteLength };
  });
}

/** One row a token but the last: the model routes a token when it computes what follows it. */
function payloadSlice(
  shape: Shape,
  turn: ConversationTurn,
  skippedBytes: number,
): ReplaySlice | null {
  if (shape.r3BytesPerToken === 0) return null;
  const completionTokens = turn.completion.tokens.length;
  const tokens =
    shape.r3 === "accumulated"
      ? turn.promptTokens + completionTokens - 1
      : turn.newPromptTokens + completionTokens - 1;
  return { skippedBytes, byteLength: tokens * shape.r3BytesPerToken };
}

function replyPieces(turn: ConversationTurn, index: number, hasPayload: boolean) {
  const marker = Buffer.from("payload");
  const slices = chatReplyBody({
    id: replyDigits(index),
    created: 1_700_000_000 + index,
    model: modelName,
    weightVersion: "default",
    promptTokens: turn.promptTokens,
    completion: turn.completion,
    request: {
      model: modelName,
      messages: [],
      inputIds: null,
      completionTokensMax: null,
      logprobs: true,
      returnMetaInfo: true,
      returnRoutedExperts: hasPayload,
      returnIndexerTopk: false,
    },
    payloads: hasPayload ? [["routed_experts", [marker]]] : [],
    fault: null,
  });
  const split = hasPayload ? slices.indexOf(marker) : slices.length;
  const text = (part: readonly Uint8Array[]) => Buffer.concat(part).toString();
  return { opening: text(slices.slice(0, split)), closing: text(slices.slice(split + 1)) };
}

/** The body of one reply in pieces; the payload is a view of `replayText`. */
export function replyBody(
  reply: ReplyText,
  replayText: Uint8Array,
  sessionIndex: number,
): Uint8Array[] {
  const payload =
    reply.payload === null ? [] : replayPayload(replayText, sessionIndex, reply.payload);
  return [Buffer.from(reply.opening), ...payload, Buffer.from(reply.closing)];
}
