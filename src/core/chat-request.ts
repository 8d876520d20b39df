/**
 * The client's chat request: what the session needs of it, and how it goes up to the backend.
 *
 * Contract   members that the server does not own go up as the client wrote them, character for
 *            character: numbers are never rendered again. Owned members are replaced or removed, so
 *            that no agent can break the account of tokens. Of a name that stands twice the last
 *            one counts, as in Python.
 * Reports    InvalidRequestError with a sentence that names member and expectation.
 * Limits     chatBodyBytesMax, jsonNestingMax.
 */
import { InvalidRequestError } from "../errors.ts";
import type { KnownItems } from "../json/known-items.ts";
import { type MemberSpan, writeJson } from "../json/lossless.ts";
import { isTruthy } from "../json/python-truth.ts";
import { describeKind, readRequestDocument } from "../json/request-object.ts";
import type { JsonObject, JsonValue } from "../json/values.ts";
import { chatBodyBytesMax } from "../limits.ts";
import type { RequestPart } from "../records/record-store.ts";
import { readMessage } from "./chat-messages.ts";
import type { MessageRules } from "./message-rules.ts";
import type { WrittenMembers } from "./sampling-parameters.ts";

export interface ChatRequest {
  readonly messages: readonly JsonObject[];
  /** As sent; null when absent. */
  readonly tools: JsonValue;
  readonly model: JsonValue;
  /** The client wants server-sent events. */
  readonly stream: boolean;
  /** The client wants log-probabilities; the backend is asked for them in any case. */
  readonly logprobs: boolean;
  /** Request-level chat_template_kwargs; empty when absent. */
  readonly templateKwargs: JsonObject;
  /** The array of messages as written, from behind the known text that it repeats. */
  readonly messagesText: string;
  /** The tools as written; empty when absent. */
  readonly toolsText: string;
  /** Other members that go up as written, in the order of the request. */
  readonly passedMembers: WrittenMembers;
}

/** What this server asks of the backend with every turn. */
export interface ReplayFlags {
  readonly routedExperts: boolean;
  readonly indexerTopk: boolean;
}

/**
 * Never passed on. The backend call is not streamed: the account of tokens needs the whole message
 * and its meta_info.
 */
const ownedMembers: ReadonlySet<string> = new Set([
  "stream",
  "stream_options",
  "logprobs",
  "return_meta_info",
  "no_stop_trim",
  "chat_template_kwargs",
  "input_ids",
  // Goes up as written, too, but in a part of its own.
  "messages",
]);

/** @param known messages that the request probably starts with */
export function parseChatRequest(
  body: Uint8Array,
  known: KnownItems,
  rules: MessageRules,
): ChatRequest {
  const { object: request, text, members } = readRequestDocument(body, chatBodyBytesMax, known);
  const textOf = (name: string): string => {
    const span = members.findLast((member) => member.name === name);
    return span === undefined ? "" : text.slice(span.valueStart, span.end);
  };
  requireOneChoice(request.get("n") ?? null);
  requireNoFunctions(request.get("functions") ?? null);
  return {
    messages: requireMessages(request.get("messages"), known, rules),
    tools: request.get("tools") ?? null,
    model: request.get("model") ?? null,
    stream: isTruthy(request.get("stream") ?? null),
    logprobs: isTruthy(request.get("logprobs") ?? null),
    templateKwargs: requireTemplateKwargs(request.get("chat_template_kwargs") ?? null),
    messagesText: textOf("messages").slice(known.matchedSegments > 0 ? "[".length : 0),
    toolsText: textOf("tools"),
    passedMembers: membersToPass(text, members),
  };
}

/** What a session adds to its client's request, in bytes that may change with the next turn. */
export interface SessionText {
  /** The known text of messages that the request repeats. */
  readonly knownMessages: Uint8Array;
  /** The prompt's ids in pieces: "1,2,3". */
  readonly inputIds: readonly Uint8Array[];
}

/** A request body, and the parts it is made of. */
export interface UpstreamBody {
  readonly bytes: Uint8Array;
  readonly parts: readonly RequestPart[];
}

/**
 * The body for the backend. The parts named "messages" and "input_ids" start with those of the
 * turn before, which lets the record store keep them once.
 *
 * @param passedMembers those of the request, with what its session sets
 * @param templateKwargs what the prompt was rendered with, for the backend's own parsers
 */
export function upstreamRequest(
  { messagesText }: ChatRequest,
  passedMembers: WrittenMembers,
  replay: ReplayFlags,
  templateKwargs: JsonObject,
  { knownMessages, inputIds }: SessionText,
): UpstreamBody {
  const passed = new Map(passedMembers);
  const owned = ['"logprobs":true', '"return_meta_info":true', '"no_stop_trim":false'];
  if (replay.routedExperts) {
    passed.delete("return_routed_experts");
    owned.push('"return_routed_experts":true');
  }
  if (replay.indexerTopk) {
    passed.delete("return_indexer_topk");
    owned.push('"return_indexer_topk":true');
  }
  if (templateKwargs.size > 0) owned.push(`"chat_template_kwargs":${writeJson(templateKwargs)}`);
  const others = [...passed.values(), ...owned].join(",");
  // The array's closing bracket is the one place where this turn's text differs from the start of
  // the next one's, so it stands outside of the shared part.
  return joinParts([
    { shared: null, pieces: [Buffer.from(`{${others},"messages":`)] },
    { shared: "messages", pieces: [knownMessages, Buffer.from(messagesText.slice(0, -1))] },
    { shared: null, pieces: [Buffer.from('],"input_ids":[')] },
    { shared: "input_ids", pieces: inputIds },
    { shared: null, pieces: [Buffer.from("]}")] },
  ]);
}

interface PartPieces {
  readonly shared: string | null;
  readonly pieces: readonly Uint8Array[];
}

/** Copies once, into memory of its own: the parts are views of the body that is sent. */
function joinParts(parts: readonly PartPieces[]): UpstreamBody {
  const bytes = Buffer.allocUnsafeSlow(byteLengthOf(parts.flatMap((part) => part.pieces)));
  let offset = 0;
  const views = parts.map(({ shared, pieces }): RequestPart => {
    const start = offset;
    for (const piece of pieces) {
      bytes.set(piece, offset);
      offset += piece.length;
    }
    return { shared, bytes: bytes.subarray(start, offset) };
  });
  return { bytes, parts: views };
}

function byteLengthOf(pieces: readonly Uint8Array[]): number {
  return pieces.reduce((sum, { length }) => sum + length, 0);
}

/** A session is one line of turns: of several choices, none but one could be continued. */
function requireOneChoice(n: JsonValue): void {
  if (n === null || n === 1) return;
  throw new InvalidRequestError(
    `n must be 1, got ${writeJson(n)}: a session has one reply a turn, so create a session for ` +
      "each sample",
  );
}

/** No template renders them: the model would never see them. */
function requireNoFunctions(functions: JsonValue): void {
  if (functions === null || (Array.isArray(functions) && functions.length === 0)) return;
  throw new InvalidRequestError("functions is not supported: send them as tools");
}

function requireMessages(
  value: JsonValue | undefined,
  known: KnownItems,
  rules: MessageRules,
): readonly JsonObject[] {
  if (value === undefined) {
    throw new InvalidRequestError("messages is missing: a list of message objects is required");
  }
  if (!Array.isArray(value)) {
    throw new InvalidRequestError(
      `messages must be a list of message objects, got ${describeKind(value)}`,
    );
  }
  if (value.length === 0) {
    throw new InvalidRequestError("messages is empty: at least one message is required");
  }
  // Those that stand in the text of an earlier request were read with it.
  const read = known.segments[known.matchedSegments - 1]?.itemCount ?? 0;
  for (let index = read; index < value.length; index++) {
    value[index] = readMessage(value[index] ?? null, index, rules);
  }
  return value as JsonObject[];
}

function requireTemplateKwargs(value: JsonValue): JsonObject {
  if (value === null) return new Map();
  if (value instanceof Map) return value;
  throw new InvalidRequestError("chat_template_kwargs must be an object");
}

function membersToPass(text: string, members: readonly MemberSpan[]): WrittenMembers {
  const passed: WrittenMembers = new Map();
  for (const { name, start, end } of members) {
    if (!ownedMembers.has(name)) passed.set(name, text.slice(start, end));
  }
  return passed;
}
