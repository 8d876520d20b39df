import { describe, expect, test } from "bun:test";
import { errorReplyTo } from "../src/error-reply.ts";
import type { Operation, Reply } from "../src/operation.ts";

function parsed(reply: Reply): unknown {
  if (!(reply.body instanceof Uint8Array)) throw new Error("bytes were expected");
  return JSON.parse(Buffer.from(reply.body).toString());
}

describe("errorReplyTo()", () => {
  test.each([null, "chat_completions", "get_session", "proxy"] as const)(
    "%s gets a sentence",
    (kind) => {
      const reply = errorReplyTo(kind === null ? null : ({ kind } as Operation), 404, "gone");
      expect([reply.status, parsed(reply)]).toEqual([404, { error: "gone" }]);
    },
  );

  test.each([
    [400, 400, "invalid_request_error"],
    [401, 401, "authentication_error"],
    [403, 403, "permission_error"],
    [404, 404, "not_found_error"],
    [413, 413, "request_too_large"],
    [429, 429, "rate_limit_error"],
    [500, 500, "api_error"],
    [502, 502, "api_error"],
    [503, 529, "overloaded_error"],
    [504, 504, "timeout_error"],
  ])("messages: %d is %d %s", (status, answered, type) => {
    for (const kind of ["messages", "count_tokens"] as const) {
      const reply = errorReplyTo({ kind }, status, "a sentence");
      expect(reply.status).toBe(answered);
      expect(parsed(reply)).toEqual({ type: "error", error: { type, message: "a sentence" } });
    }
  });

  test.each([
    [400, "invalid_request_error"],
    [404, "invalid_request_error"],
    [429, "rate_limit_error"],
    [503, "server_error"],
  ])("responses: %d is a %s", (status, type) => {
    const reply = errorReplyTo({ kind: "responses" }, status, "a sentence");
    expect(reply.status).toBe(status);
    const error = { message: "a sentence", type, param: null, code: null };
    expect(parsed(reply)).toEqual({ error });
  });
});
