import { expect, test } from "bun:test";
import { MalformedResponseError } from "../../../src/upstream/http1/malformed-response.ts";

test("MalformedResponseError quotes what came, escaped and cut", () => {
  const error = new MalformedResponseError("x", `\0${"y".repeat(100)}`);
  expect(error.message).toBe(`malformed response: expected x, got "\\u0000${"y".repeat(59)}..."`);
  expect(error.code).toBe("EPROTO");
});
