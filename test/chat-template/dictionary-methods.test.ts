import { describe, expect, test } from "bun:test";
import {
  dictionaryMethods,
  dictionaryMutators,
} from "../../src/chat-template/dictionary-methods.ts";
import { printed, raised } from "./rendering.ts";

const variables = '{"d": {"a": 1, "get": 2, "n": null}}';

describe("dictionaryMethods", () => {
  test.each([
    ["d.get('a')", "1"],
    ["d.get('zz')", "None"],
    ["d.get('zz', 3)", "3"],
    ["d.get('n', 3)", "None"],
    ["d.copy() == d", "True"],
    ["d.keys()|list", "['a', 'get', 'n']"],
    ["d.items()|first", "('a', 1)"],
  ])("%s gives %s", (expression, text) => {
    expect(printed(expression, variables)).toBe(text);
  });

  test.each([
    ["d.get()", "TypeError: get() missing required argument 'key'"],
    ["d.get([])", "TypeError: unhashable type: 'list'"],
    ["d.keys(1)", "TypeError: dict.keys() takes no arguments (1 given)"],
  ])("%s raises %s", (expression, error) => {
    expect(raised(expression, variables)).toBe(error);
  });

  test("are all of dict's, together with those the sandbox refuses", () => {
    expect([...dictionaryMethods.keys(), ...dictionaryMutators].sort()).toEqual(
      "clear copy fromkeys get items keys pop popitem setdefault update values".split(" "),
    );
  });
});
