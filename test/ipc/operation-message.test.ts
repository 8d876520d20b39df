import { describe, expect, test } from "bun:test";
import { EnvelopeError, encodeEnvelope } from "../../src/ipc/envelope.ts";
import { decodeReply, decodeRequest, encodeRequest } from "../../src/ipc/operation-message.ts";
import type { Operation } from "../../src/operation.ts";

const noBody = new Uint8Array(0);
const forwarded = { sessionId: "s", method: "POST", query: "", headers: [] };
const reply = { status: 200, headers: [], body: "bytes", byteLength: 0, lane: null };

describe("decodeRequest", () => {
  test("gives back every kind of operation", () => {
    const operations: Operation[] = [
      { kind: "health" },
      { kind: "create_session", sessionId: null },
      { kind: "create_session", sessionId: "s" },
      { kind: "get_session", sessionId: "s" },
      { kind: "delete_session", sessionId: "s" },
      { kind: "get_session_summary", sessionId: "s" },
      { kind: "count_tokens", sessionId: "s" },
      { kind: "list_sessions", limit: 7, after: null },
      { kind: "list_sessions", limit: 7, after: "s" },
      { kind: "messages", ...forwarded, query: "beta=true" },
      { kind: "responses", ...forwarded },
      { kind: "chat_completions", ...forwarded, headers: [["a", "é"]] },
      { kind: "proxy", path: "v1/a%2Fb", ...forwarded },
    ];
    for (const operation of operations) {
      const body = Uint8Array.of(1, 2, 3);
      expect(decodeRequest(encodeRequest(operation, body))).toEqual({ operation, body });
    }
  });

  test("refuses what is no operation", () => {
    const refused: unknown[] = [
      null,
      [],
      "health",
      {},
      { kind: "unknown" },
      { kind: "create_session" },
      { kind: "get_session", sessionId: 1 },
      { kind: "proxy", ...forwarded },
      { kind: "list_sessions", limit: -1, after: null },
      { kind: "list_sessions", limit: 1 },
      { kind: "chat_completions", ...forwarded, headers: {} },
      { kind: "chat_completions", ...forwarded, headers: [["a"]] },
      { kind: "chat_completions", ...forwarded, headers: [["a", 1]] },
    ];
    for (const meta of refused) {
      expect(() => decodeRequest(encodeEnvelope(meta, [noBody]))).toThrow(EnvelopeError);
    }
  });
});

describe("decodeReply", () => {
  test("refuses what is no reply", () => {
    const refused: unknown[] = [
      null,
      {},
      { ...reply, status: "200" },
      { ...reply, status: 99 },
      { ...reply, status: 600 },
      { ...reply, status: 200.5 },
      { ...reply, headers: null },
      { ...reply, body: "text" },
      { ...reply, byteLength: -1 },
      { ...reply, byteLength: undefined },
      { ...reply, lane: "short" },
      { ...reply, lane: 5 },
    ];
    for (const meta of refused) {
      expect(() => decodeReply(encodeEnvelope(meta, [noBody]))).toThrow(EnvelopeError);
    }
    expect(() => decodeReply(encodeEnvelope(reply, [noBody]))).not.toThrow();
  });
});
