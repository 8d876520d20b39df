import { describe, expect, test } from "bun:test";
import { countText, findText, hasAffix } from "../../src/chat-template/string-search.ts";
import { Tuple } from "../../src/chat-template/values.ts";
import { failure } from "./rendering.ts";

describe("findText() counts code points", () => {
  test.each([
    ["a😀b", "b", undefined, undefined, false, 2],
    ["abab", "b", 2, undefined, false, 3],
    ["abab", "ab", undefined, 3, true, 0],
    ["abc", "c", 0, -1, false, -1],
    ["abc", "", 3, undefined, false, 3],
    ["abc", "", 4, undefined, false, -1],
    ["abc", "b", -2, null, false, 1],
    ["😀a😀a", "a", 2, undefined, false, 3],
  ] as const)("in %j of %j from %p to %p", (text, wanted, start, end, fromRight, index) => {
    expect(findText(text, wanted, start, end, fromRight)).toBe(index);
  });
});

describe("countText()", () => {
  test("counts without overlap, and places for the empty text", () => {
    expect(countText("aaa", "aa", undefined, undefined)).toBe(1);
    expect(countText("a😀", "", undefined, undefined)).toBe(3);
    expect(countText("aaa", "a", 1, 2)).toBe(1);
    expect(countText("aaa", "a", 4, undefined)).toBe(0);
  });
});

describe("hasAffix()", () => {
  test("takes one text or a tuple of them", () => {
    expect(hasAffix("startswith", "abc", "ab", undefined, undefined)).toBe(true);
    expect(hasAffix("endswith", "abc", new Tuple(["x", "bc"]), undefined, undefined)).toBe(true);
    expect(hasAffix("startswith", "abc", "b", 1, undefined)).toBe(true);
    expect(failure(() => hasAffix("startswith", "abc", ["a"], undefined, undefined)).reason).toBe(
      "startswith first arg must be str or a tuple of str, not list",
    );
  });
});
