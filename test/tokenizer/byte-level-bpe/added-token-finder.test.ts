import { describe, expect, test } from "bun:test";
import { type AddedToken, specialToken } from "../../../src/tokenizer/added-token.ts";
import { AddedTokenFinder } from "../../../src/tokenizer/byte-level-bpe/added-token-finder.ts";

function split(text: string, ...tokens: readonly (string | AddedToken)[]): (string | number)[] {
  const finder = new AddedTokenFinder(
    tokens.map((token, id) => ({
      token: typeof token === "string" ? specialToken(token) : token,
      id,
    })),
  );
  const parts: (string | number)[] = [];
  const push = (part: string | number): void => {
    parts.push(part);
  };
  finder.split(text, push, push);
  return parts;
}

describe("split()", () => {
  test("gives text and tokens in order, and no empty text", () => {
    expect(split("<a>x<b><a>", "<a>", "<b>")).toEqual([0, "x", 1, 0]);
    expect(split("", "<a>")).toEqual([]);
    expect(split("plain")).toEqual(["plain"]);
  });

  test("takes the leftmost, then the longest", () => {
    expect(split("abcd", "ab", "abc", "bcd")).toEqual([1, "d"]);
    expect(split("abcd", "abcde", "bc")).toEqual(["a", 1, "d"]);
    expect(split("aaaaa", "aa")).toEqual([0, 0, "a"]);
  });

  test("finds a token behind the beginning of another", () => {
    expect(split("<<a><|im<|im_end|>", "<a>", "<|im_end|>")).toEqual(["<", 0, "<|im", 1]);
  });

  test("finds tokens beyond the basic plane and beside it", () => {
    expect(split("\u{1f600}\u{1f601}x", "\u{1f601}")).toEqual(["\u{1f600}", 0, "x"]);
    expect(split("\u{1f601}\u{1f600}", "\u{1f600}")).toEqual(["\u{1f601}", 0]);
  });

  test("lets tokens take white space along", () => {
    const left = { ...specialToken("<l>"), leftStrip: true };
    const right = { ...specialToken("<r>"), rightStrip: true };
    expect(split("a \u00a0\n<l> b", left)).toEqual(["a", 0, " b"]);
    expect(split("a <r> \u2028\tb", right)).toEqual(["a ", 0, "b"]);
    expect(split("<r>  <l>", left, right)).toEqual([1, 0]);
    expect(split("  <l>", left)).toEqual([0]);
    expect(split("a\ufeff<l>", left)).toEqual(["a\ufeff", 0]);
  });

  test("refuses two tokens with the same text", () => {
    expect(() => split("", "<a>", "<a>")).toThrow("two added tokens with the same text");
  });
});
