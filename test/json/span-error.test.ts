import { expect, test } from "bun:test";
import { SpanSyntaxError } from "../../src/json/span-error.ts";

test("SpanSyntaxError says where and what, for a reader and for code", () => {
  const error = new SpanSyntaxError(17, "','");
  expect(error.message).toBe("not JSON: expected ',' at byte 17");
  expect([error.offset, error.expected, error.name]).toEqual([17, "','", "SpanSyntaxError"]);
});
