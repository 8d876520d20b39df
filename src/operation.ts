/**
 * What a client can ask of a session server and what it gets back, as plain data. The HTTP layer
 * makes operations out of requests, a core carries them out, and in between they may cross an
 * IPC channel: nothing here knows which.
 *
 * Contract   an `Operation` and the head of a `Reply` are JSON-serialisable as they stand.
 * Not here   HTTP parsing (http/), transport (ipc/), meaning (core/).
 */

import type { StreamBody } from "./stream-body.ts";

/** Header names are lower-case; a name may stand more than once (set-cookie). */
export type HeaderList = [name: string, value: string][];

export type Operation =
  | { kind: "health" }
  /** Its body, when there is one, is the session's settings. */
  | { kind: "create_session"; sessionId: string | null }
  | SessionListOperation
  | { kind: "get_session"; sessionId: string }
  | { kind: "get_session_summary"; sessionId: string }
  | { kind: "delete_session"; sessionId: string }
  | TurnOperation
  /** Anthropic's POST v1/messages/count_tokens: what a turn's prompt would hold. */
  | { kind: "count_tokens"; sessionId: string }
  | {
      kind: "proxy";
      sessionId: string;
      method: string;
      /** Raw path below the session, escapes kept, without a leading slash: "v1/models". */
      path: string;
      query: string;
      headers: HeaderList;
    };

/** One page of the sessions that are held, in the order of their ids. */
export interface SessionListOperation {
  readonly kind: "list_sessions";
  /** Sessions of the page at most. */
  readonly limit: number;
  /** The page begins after this id; null begins with the first. */
  readonly after: string | null;
}

/** Protocols in which an agent may ask for a turn, named after their path below v1. */
export type TurnKind = "chat_completions" | "messages" | "responses";

/** A request for a turn of a session, in any protocol. */
export interface TurnOperation {
  readonly kind: TurnKind;
  readonly sessionId: string;
  readonly method: string;
  /** Raw query string without "?"; empty when there is none. */
  readonly query: string;
  readonly headers: HeaderList;
}

export interface Reply {
  status: number;
  headers: HeaderList;
  body: Uint8Array | StreamBody;
}

/** Carries an operation out. Rejects only on a bug: every foreseen failure is a Reply. */
export interface OperationHandler {
  handle(operation: Operation, body: Uint8Array): Promise<Reply>;
}

const encoder = new TextEncoder();

/** A JSON reply as the original sends it: media type without charset. */
export function jsonReply(status: number, value: unknown): Reply {
  return jsonTextReply(status, JSON.stringify(value));
}

/** The same, of what is JSON already. */
export function jsonTextReply(status: number, text: string): Reply {
  return {
    status,
    headers: [["content-type", "application/json"]],
    body: encoder.encode(text),
  };
}

export function errorReply(status: number, message: string): Reply {
  return jsonReply(status, { error: message });
}

/** The reply to GET /health, the same from every process that answers it. */
export function healthReply(instanceId: string): Reply {
  return jsonReply(200, { status: "ok", session_server_instance_id: instanceId });
}
