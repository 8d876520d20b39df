import { expect, test } from "bun:test";
import { malformedCharactersQuoted } from "../../../src/limits.ts";
import { MalformedResponseError } from "../../../src/upstream/http1/malformed-response.ts";

test("MalformedResponseError quotes what came, escaped and cut", () => {
  const error = new MalformedResponseError("x", `\0${"y".repeat(100)}`);
  const rest = "y".repeat(malformedCharactersQuoted - 1);
  expect(error.message).toBe(`malformed response: expected x, got "\\u0000${rest}..."`);
  expect(new MalformedResponseError("x", `y${rest}`).message).toEndWith(`"y${rest}"`);
  expect(new MalformedResponseError("x", `y${rest}y`).message).toEndWith(`"y${rest}..."`);
  expect(error.code).toBe("EPROTO");
});
