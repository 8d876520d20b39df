import { describe, expect, test } from "bun:test";
import { printed, raised } from "./rendering.ts";

describe("text filters", () => {
  test.each([
    ["'hELLO wORLD'|capitalize, 'a-b (c) it\\'s'|title", "('Hello world', \"A-B (C) It's\")"],
    ["'aB'|upper, 'aB'|lower, 1|upper, none|lower", "('AB', 'ab', '1', 'none')"],
    ["' a '|trim, 'xax'|trim('x'), 5|trim", "('a', 'a', '5')"],
    [
      "'a\\nb\\n\\nc'|indent(2), 'a\\nb'|indent('>', true), 'a\\n\\nb'|indent(1, false, true)",
      "('a\\n  b\\n\\n  c', '>a\\n>b', 'a\\n \\n b')",
    ],
    [
      "'foo bar baz qux'|truncate(9), 'foo bar baz qux'|truncate(9, true), 'foo bar baz'|truncate(11)",
      "('foo...', 'foo ba...', 'foo bar baz')",
    ],
    ["'foo bar baz qux'|truncate(11, false, '...', 0)", "foo bar..."],
    ["'aaa'|replace('a', 'b', 2), 121|replace(1, 'x')", "('bba', 'x2x')"],
    ["'a'|center(4), 'ab c'|wordcount, 1|string, true|string", "(' a  ', 2, '1', 'True')"],
    [
      "'a b/é?'|urlencode, {'a b': 'c&d'}|urlencode, [('k', 1)]|urlencode",
      "('a%20b/%C3%A9%3F', 'a+b=c%26d', 'k=1')",
    ],
    ["'%s-%s'|format(1, 'b')", "1-b"],
    ["'a\\u2028b\\x0bc'|indent(1)", "a\n b\n c"],
  ])("%s", (expressions, values) => {
    const isTuple = values.startsWith("(");
    expect(printed(isTuple ? `(${expressions})` : expressions)).toBe(values);
  });

  test.each([
    ["'abc'|truncate(2)", "AssertionError: expected length >= 3, got 2"],
    ["1|indent", "TypeError: indent: value must be str, not int"],
    ["'a'|indent(none)", "TypeError: can't multiply sequence by non-int of type 'NoneType'"],
    ["'a'|trim(1)", "TypeError: strip arg must be None or str, not int"],
    ["'a'|replace('a')", "TypeError: replace() missing required argument 'new'"],
    ["missing|indent", "UndefinedError: 'missing' is undefined"],
  ])("%s raises %s", (expression, error) => {
    expect(raised(expression)).toBe(error);
  });
});
