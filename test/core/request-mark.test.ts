import { describe, expect, test } from "bun:test";
import { readRequestMark } from "../../src/core/request-mark.ts";
import { InvalidRequestError } from "../../src/errors.ts";
import { idempotencyKeyCharactersMax } from "../../src/limits.ts";
import type { HeaderList, TurnOperation } from "../../src/operation.ts";

function mark(headers: HeaderList, body = "{}", more: Partial<TurnOperation> = {}) {
  const operation: TurnOperation = {
    kind: "chat_completions",
    sessionId: "s",
    method: "POST",
    query: "",
    headers,
    ...more,
  } as TurnOperation;
  return readRequestMark(operation, Buffer.from(body));
}

describe("readRequestMark()", () => {
  test.each([
    ["0", false],
    ["1", true],
    ["12", true],
    ["", false],
    ["no number", false],
    ["-1", false],
  ])("X-Stainless-Retry-Count: %s", (count, isRepetition) => {
    expect(mark([["x-stainless-retry-count", count]]).isRepetition).toBe(isRepetition);
  });

  test("a request without marks is none", () => {
    expect(mark([])).toMatchObject({ isRepetition: false, idempotencyKey: null });
  });

  test("takes the client's key, unless it is empty or too long", () => {
    expect(mark([["idempotency-key", "k"]]).idempotencyKey).toBe("k");
    expect(mark([["idempotency-key", ""]]).idempotencyKey).toBeNull();
    const longest = "k".repeat(idempotencyKeyCharactersMax);
    expect(mark([["idempotency-key", longest]]).idempotencyKey).toBe(longest);
    expect(() => mark([["idempotency-key", `${longest}k`]])).toThrow(InvalidRequestError);
  });

  test("the fingerprint tells body and query apart, and no header", () => {
    const { fingerprint } = mark([], '{"a":1}');
    expect(mark([["x", "1"]], '{"a":1}').fingerprint).toBe(fingerprint);
    expect(mark([], '{"a":2}').fingerprint).not.toBe(fingerprint);
    expect(mark([], '{"a":1}', { query: "b" }).fingerprint).not.toBe(fingerprint);
  });
});
