// spec: docs/ipc-protocol.md, "Messages"
/**
 * Operations and replies as envelopes, and back with every field checked.
 *
 * Contract   decode(encode(x)) is x. What a peer sends is data: a field of the wrong kind is an
 *            EnvelopeError, never a crash.
 * Not here   how a body that is no part of the message travels: lane-sender.ts, lane-receiver.ts.
 */
import type { HeaderList, Operation } from "../operation.ts";
import { decodeEnvelope, EnvelopeError, encodeEnvelope, joined } from "./envelope.ts";
import { checkLaneToken, type LaneToken } from "./lane-token.ts";

/** What a reply says of itself; its body follows in the same frame or over a lane. */
export interface ReplyMeta {
  readonly status: number;
  readonly headers: HeaderList;
  /** As which kind the body was handed over, and is to be handed on. */
  readonly body: "bytes" | "stream";
  /** Bytes of the body where known. */
  readonly byteLength: number | null;
  /** Token of the lane that carries the body; null when the body follows. */
  readonly lane: LaneToken | null;
}

export function encodeRequest(operation: Operation, body: Uint8Array): Uint8Array[] {
  return encodeEnvelope(operation, [body]);
}

export function decodeRequest(payload: readonly Uint8Array[]): {
  operation: Operation;
  body: Uint8Array;
} {
  const { meta, body } = decodeEnvelope(payload);
  return { operation: readOperation(meta), body: joined(body) };
}

export function encodeReply(meta: ReplyMeta, body: readonly Uint8Array[]): Uint8Array[] {
  return encodeEnvelope(meta, body);
}

export function decodeReply(payload: readonly Uint8Array[]): {
  meta: ReplyMeta;
  body: readonly Uint8Array[];
} {
  const envelope = decodeEnvelope(payload);
  const fields = new Fields(envelope.meta, "reply");
  const body = fields.text("body");
  if (body !== "bytes" && body !== "stream") throw new EnvelopeError(`reply: body is ${body}`);
  const meta: ReplyMeta = {
    status: fields.count("status"),
    headers: fields.headers(),
    body,
    byteLength: fields.isNull("byteLength") ? null : fields.count("byteLength"),
    lane: fields.isNull("lane") ? null : checkLaneToken(fields.text("lane")),
  };
  if (meta.status < 100 || meta.status > 599) {
    throw new EnvelopeError(`reply: ${meta.status} is no HTTP status`);
  }
  return { meta, body: envelope.body };
}

function readOperation(meta: unknown): Operation {
  const fields = new Fields(meta, "operation");
  const kind = fields.text("kind");
  switch (kind) {
    case "health":
      return { kind };
    case "create_session":
      return { kind, sessionId: fields.isNull("sessionId") ? null : fields.text("sessionId") };
    case "list_sessions":
      return {
        kind,
        limit: fields.count("limit"),
        after: fields.isNull("after") ? null : fields.text("after"),
      };
    case "get_session":
    case "get_session_summary":
    case "delete_session":
    case "count_tokens":
      return { kind, sessionId: fields.text("sessionId") };
    case "chat_completions":
    case "messages":
    case "responses":
      return { kind, ...forwarded(fields) };
    case "proxy":
      return { kind, path: fields.text("path"), ...forwarded(fields) };
    default:
      throw new EnvelopeError(`operation: unknown kind ${kind}`);
  }
}

function forwarded(fields: Fields) {
  return {
    sessionId: fields.text("sessionId"),
    method: fields.text("method"),
    query: fields.text("query"),
    headers: fields.headers(),
  };
}

/** Checked access to the members of a JSON object. */
class Fields {
  readonly #object: Record<string, unknown>;
  readonly #what: string;

  constructor(value: unknown, what: string) {
    if (typeof value !== "object" || value === null || Array.isArray(value)) {
      throw new EnvelopeError(`${what}: no JSON object`);
    }
    this.#object = value as Record<string, unknown>;
    this.#what = what;
  }

  isNull(name: string): boolean {
    return this.#object[name] === null;
  }

  text(name: string): string {
    const value = this.#object[name];
    if (typeof value !== "string") this.#refuse(name, "a string");
    return value;
  }

  count(name: string): number {
    const value = this.#object[name];
    if (typeof value !== "number" || !Number.isSafeInteger(value) || value < 0) {
      this.#refuse(name, "a count");
    }
    return value;
  }

  headers(): HeaderList {
    const value = this.#object["headers"];
    if (!Array.isArray(value) || !value.every(isHeader)) {
      this.#refuse("headers", "a list of pairs");
    }
    return value;
  }

  #refuse(name: string, expected: string): never {
    throw new EnvelopeError(`${this.#what}: ${name} is not ${expected}`);
  }
}

function isHeader(value: unknown): value is [string, string] {
  return (
    Array.isArray(value) &&
    value.length === 2 &&
    value.every((part: unknown) => typeof part === "string")
  );
}
