import { describe, expect, test } from "bun:test";
import { justify, stringMethods } from "../../src/chat-template/string-methods.ts";
import { noKeywords, type Value } from "../../src/chat-template/values.ts";
import { failure, printed } from "./rendering.ts";

const call = (name: string, text: string, ...args: Value[]) =>
  stringMethods.get(name)?.(text, args, noKeywords) as Value;

describe("stringMethods", () => {
  test.each([
    ["' a '.strip(), 'xxaxx'.strip('x'), ' a '.lstrip(), ' a '.rstrip()", "('a', 'a', 'a ', ' a')"],
    [
      "'a b'.split(), 'a,b'.split(',', 1), 'a b c'.rsplit(maxsplit=1)",
      "(['a', 'b'], ['a', 'b'], ['a b', 'c'])",
    ],
    ["'a\\nb'.splitlines(), 'a\\nb'.splitlines(keepends=true)", "(['a', 'b'], ['a\\n', 'b'])"],
    [
      "'a-b-c'.partition('-'), 'a-b-c'.rpartition('-'), 'a'.partition('-')",
      "(('a', '-', 'b-c'), ('a-b', '-', 'c'), ('a', '', ''))",
    ],
    [
      "'ab'.center(5, '*'), 'a'.ljust(3), 'a'.rjust(3, '.'), '-1'.zfill(4)",
      "('**ab*', 'a  ', '..a', '-001')",
    ],
    ["'-'.join(['a', 'b']), ''.join('ab'), '-'.join({'k': 1})", "('a-b', 'ab', 'k')"],
    ["'aXbX'.replace('X', ''), 'aa'.replace('a', 'b', 1)", "('ab', 'ba')"],
    ["'xax'.removeprefix('x'), 'xax'.removesuffix('x'), 'a'.removesuffix('')", "('ax', 'xa', 'a')"],
    ["'a\\tb'.expandtabs(4), 'ab\\n\\tc'.expandtabs()", "('a   b', 'ab\\n        c')"],
    ["'abc'.find('c'), 'abc'.index('b'), 'aa'.count('a')", "(2, 1, 2)"],
    ["'Ab'.swapcase(), 'aB'.capitalize(), 'a b'.title(), 'é'.upper()", "('aB', 'Ab', 'A B', 'É')"],
    ["'é'.isascii(), 'ab'.isalpha(), ''.isascii()", "(False, True, True)"],
  ])("%s", (expressions, values) => {
    expect(printed(`(${expressions})`)).toBe(values);
  });

  test.each([
    ["split", [""], "ValueError", "empty separator"],
    ["split", [1], "TypeError", "must be str, not int"],
    ["join", [[1]], "TypeError", "sequence item 0: expected str instance, int found"],
    ["join", [], "TypeError", "join() missing required argument 'iterable'"],
    ["strip", [1], "TypeError", "strip arg must be None or str"],
    ["index", ["z"], "ValueError", "substring not found"],
    ["center", ["a"], "TypeError", "'str' object cannot be interpreted as an integer"],
    ["center", [3, "ab"], "TypeError", "The fill character must be exactly one character long"],
    ["replace", ["a"], "TypeError", "replace() missing required argument 'new'"],
    ["upper", [1], "TypeError", "upper() takes at most 0 argument(s) (1 given)"],
  ])("%s(%j) raises %s", (name, args, pythonClass, reason) => {
    expect(failure(() => call(name, "abc", ...(args as Value[])))).toMatchObject({
      pythonClass,
      reason,
    });
  });

  test("name no argument that Python takes by place only", () => {
    expect(failure(() => printed("'a'.replace(old='a', new='b')")).pythonClass).toBe("TypeError");
  });
});

describe("justify()", () => {
  test("centers as CPython does, by code points", () => {
    expect(justify("ab", 5, " ", "center")).toBe("  ab ");
    expect(justify("a", 4, " ", "center")).toBe(" a  ");
    expect(justify("😀", 3, "é", "rjust")).toBe("éé😀");
  });
});
