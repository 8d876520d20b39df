import { describe, expect, test } from "bun:test";
import { buildDictionary, dictionaryFromKeys } from "../../src/chat-template/dictionaries.ts";
import { Tuple } from "../../src/chat-template/values.ts";
import { printed, raised } from "./rendering.ts";

describe("buildDictionary()", () => {
  test("copies a dict, takes pairs, and adds keywords last", () => {
    const source = new Map([["a", 1]]);
    const copy = buildDictionary([source as never], new Map([["b", 2]]));
    expect([...copy]).toEqual([
      ["a", 1],
      ["b", 2],
    ]);
    expect(source.size).toBe(1);
    expect([...buildDictionary([[new Tuple(["k", 1]), ["k", 2], "xy"]], new Map())]).toEqual([
      ["k", 2],
      ["x", "y"],
    ]);
  });

  test.each([
    ["dict([1])", "TypeError: cannot convert dictionary update sequence element #0 to a sequence"],
    [
      "dict([(1, 2, 3)])",
      "ValueError: dictionary update sequence element #0 has length 3; 2 is required",
    ],
    ["dict({}, {})", "TypeError: dict expected at most 1 argument, got 2"],
    ["dict(missing)", "UndefinedError: 'missing' is undefined"],
    ["dict(1)", "TypeError: 'int' object is not iterable"],
    ["dict([([], 1)])", "TypeError: unhashable type: 'list'"],
  ])("%s raises %s", (expression, error) => {
    expect(raised(expression)).toStartWith(error);
  });
});

describe("dictionaryFromKeys()", () => {
  test("gives every key the same value", () => {
    expect([...dictionaryFromKeys("aba", 1)]).toEqual([
      ["a", 1],
      ["b", 1],
    ]);
    expect(printed("{}.fromkeys([1, true], 'v')")).toBe("{1: 'v'}");
  });
});
