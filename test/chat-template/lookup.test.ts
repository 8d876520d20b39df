import { describe, expect, test } from "bun:test";
import { textMethods } from "../../src/chat-template/lookup.ts";
import { printed, raised } from "./rendering.ts";

const variables =
  '{"d": {"a": 1, "items": "I", "_p": 2, "__class__": 3, "n": null, "1": "one"}, "l": [1, 2]}';

describe("value.name tries the attribute, then the item", () => {
  test.each([
    ["d.a, d.n, d._p", "(1, None, 2)"],
    ["d.items is callable, d.missing is defined", "(True, False)"],
    ["l.count(1), l.copy(), (1,).count(1)", "(1, [1, 2], 1)"],
    ["'a'.upper(), (1.5).is_integer(), (7).real", "('A', False, 7)"],
    ["range(3).start, range(3).index(1)", "(0, 1)"],
  ])("%s", (expressions, values) => {
    expect(printed(`(${expressions})`, variables)).toBe(values);
  });
});

describe("value[key] tries the item, then the attribute", () => {
  test.each([
    ["d['items'], d['get'] is callable, d['n']", "('I', True, None)"],
    ["l[0], l[-1], l[true], 'ab'[1]", "(1, 2, 2, 'b')"],
    ["l[5] is defined, l['a'] is defined, none['a'] is defined", "(False, False, False)"],
    ["{1: 'int'}[1.0], d[1] is defined, {(1, 2): 3}[1, 2]", "('int', False, 3)"],
    ["d[[]] is defined, d[{}] is defined", "(False, False)"],
  ])("%s", (expressions, values) => {
    expect(printed(`(${expressions})`, variables)).toBe(values);
  });
});

describe("what is missing or refused", () => {
  test.each([
    ["d.missing.more", "UndefinedError: 'dict object' has no attribute 'missing'"],
    ["l[5].more", "UndefinedError: list object has no element 5"],
    ["none.more.more", "UndefinedError: 'None' has no attribute 'more'"],
    ["missing.more", "UndefinedError: 'missing' is undefined"],
    ["missing[0]", "UndefinedError: 'missing' is undefined"],
    ["l.append(1)", "SecurityError: access to attribute 'append' of 'list' object is unsafe."],
    ["d.pop('a')", "SecurityError: access to attribute 'pop' of 'dict' object is unsafe."],
    ["d.__class__()", "SecurityError: access to attribute '__class__' of 'dict' object is unsafe."],
    ["''.encode()", "TemplateRuntimeError: str.encode() is not supported by this template engine"],
  ])("%s raises %s", (expression, error) => {
    expect(raised(expression, variables)).toBe(error);
  });

  test("prints as nothing and is false until then", () => {
    expect(printed("(l.append ~ d.missing, not l.append)", variables)).toBe("('', True)");
  });
});

describe("textMethods", () => {
  test("are those of str in Python 3.11", () => {
    expect([...textMethods.keys()].sort()).toEqual(
      `capitalize casefold center count encode endswith expandtabs find format format_map index
      isalnum isalpha isascii isdecimal isdigit isidentifier islower isnumeric isprintable isspace
      istitle isupper join ljust lower lstrip maketrans partition removeprefix removesuffix replace
      rfind rindex rjust rpartition rsplit rstrip split splitlines startswith strip swapcase title
      translate upper zfill`.split(/\s+/),
    );
  });
});
