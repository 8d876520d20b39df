import { describe, expect, test } from "bun:test";
import {
  characterAt,
  characterIndex,
  characters,
  replaceText,
  sliceText,
  split,
  splitAtSpace,
  splitAtSpaceFromRight,
  splitFromRight,
  splitLines,
  strip,
  unitIndex,
} from "../../src/chat-template/text.ts";

describe("positions", () => {
  test("count code points", () => {
    expect(characters("a😀\ud800b")).toEqual(["a", "😀", "\ud800", "b"]);
    expect([characterAt("a😀b", 2), characterAt("a😀b", -2), characterAt("ab", 2)]).toEqual([
      "b",
      "😀",
      undefined,
    ]);
    expect([unitIndex("a😀b", 2), unitIndex("ab", 9), characterIndex("a😀b", 3)]).toEqual([
      3, 2, 2,
    ]);
    expect(sliceText("a😀bc", [3, 1])).toBe("c😀");
    expect([sliceText("abc", [0, 1]), sliceText("abc", [2, 0]), sliceText("abc", [])]).toEqual([
      "ab",
      "ca",
      "",
    ]);
  });
});

describe("strip()", () => {
  test.each([
    [" \t\n\u00a0\u2028\x1fa ", null, "both", "a"],
    ["\ufeffa\u200b", null, "both", "\ufeffa\u200b"],
    ["  a  ", null, "left", "a  "],
    ["abcba", "ab", "both", "c"],
    ["😀a😀", "😀", "right", "😀a"],
    ["aaa", "a", "both", ""],
    ["a", "", "both", "a"],
  ] as const)("%j of %j on %s gives %j", (text, chars, side, result) => {
    expect(strip(text, chars, side)).toBe(result);
  });
});

describe("splitting", () => {
  test.each([
    [split("a,b,,c", ",", -1), ["a", "b", "", "c"]],
    [split("a,b,c", ",", 1), ["a", "b,c"]],
    [split("abc", ",", 0), ["abc"]],
    [splitFromRight("a,b,c", ",", 1), ["a,b", "c"]],
    [splitFromRight("a,,b", ",", -1), ["a", "", "b"]],
    [splitFromRight("aaa", "aa", -1), ["a", ""]],
    [splitAtSpace("  a \n b  ", -1), ["a", "b"]],
    [splitAtSpace("  a  b  c ", 1), ["a", "b  c "]],
    [splitAtSpace(" a ", 1), ["a"]],
    [splitAtSpace(" a b ", 0), ["a b "]],
    [splitAtSpace("   ", -1), []],
    [splitAtSpaceFromRight(" a b  c ", 1), [" a b", "c"]],
    [splitAtSpaceFromRight(" a b ", 5), ["a", "b"]],
    [splitLines("a\r\nb\rc\u2028d\n", false), ["a", "b", "c", "d"]],
    [splitLines("a\n\nb", true), ["a\n", "\n", "b"]],
    [splitLines("", false), []],
  ])("gives %j", (parts, expected) => {
    expect(parts).toEqual(expected);
  });
});

describe("replaceText()", () => {
  test.each([
    ["abab", "b", "c", -1, "acac"],
    ["aaa", "a", "b", 2, "bba"],
    ["a😀", "", "-", -1, "-a-😀-"],
    ["ab", "", "-", 2, "-a-b"],
    ["ab", "a", "b", 0, "ab"],
  ])("in %j of %j by %j, %p times", (text, old, replacement, count, result) => {
    expect(replaceText(text, old, replacement, count)).toBe(result);
  });
});
