import { expect, test } from "bun:test";
import { InvalidRequestError } from "../../src/errors.ts";
import { requireWellFormed } from "../../src/tokenizer/lone-surrogate.ts";

test("requireWellFormed() takes whole pairs and names the first half of one", () => {
  expect(() => requireWellFormed("caf\u00e9 \u{1f600}")).not.toThrow();
  expect(() => requireWellFormed("caf\u00e9 \ud83d! \ude00")).toThrow(
    new InvalidRequestError(
      'the prompt contains the lone surrogate U+D83D after "caf\u00e9 ": half of a surrogate ' +
        "pair is not a character and has no tokens",
    ),
  );
});

test("requireWellFormed() quotes only a few characters, and no half of a pair", () => {
  const text = `${"x".repeat(100)}\u{1f600}${"y".repeat(19)}\udc00`;
  expect(() => requireWellFormed(text)).toThrow(`after "\ufffd${"y".repeat(19)}"`);
});
