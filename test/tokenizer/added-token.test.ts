import { expect, test } from "bun:test";
import { parseAddedToken, sameAddedToken, specialToken } from "../../src/tokenizer/added-token.ts";

test("parseAddedToken() reads every flag", () => {
  expect(
    parseAddedToken(
      {
        content: "<x>",
        special: true,
        single_word: true,
        lstrip: true,
        rstrip: true,
        normalized: true,
      },
      "here",
    ),
  ).toEqual({
    content: "<x>",
    special: true,
    singleWord: true,
    leftStrip: true,
    rightStrip: true,
    normalized: true,
  });
});

test("parseAddedToken() normalises what is not special unless told otherwise", () => {
  expect(parseAddedToken({ content: "x" }, "here").normalized).toBe(true);
  expect(parseAddedToken({ content: "x", special: true }, "here").normalized).toBe(false);
});

test("parseAddedToken() names the place of what is no token", () => {
  expect(() => parseAddedToken(null, "here")).toThrow('here must be an object with "content"');
});

test("sameAddedToken() sees a difference in each flag", () => {
  const token = specialToken("x");
  expect(sameAddedToken(token, { ...token })).toBe(true);
  for (const flag of ["special", "singleWord", "leftStrip", "rightStrip", "normalized"] as const) {
    expect(sameAddedToken(token, { ...token, [flag]: !token[flag] })).toBe(false);
  }
});
