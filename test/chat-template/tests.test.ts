import { describe, expect, test } from "bun:test";
import { tests } from "../../src/chat-template/tests.ts";
import { printed, raised } from "./rendering.ts";

/** jinja2.tests.TESTS of Jinja 3.1. */
const jinjaTests = `!= < <= == > >= boolean callable defined divisibleby eq equalto escaped even
  false filter float ge greaterthan gt in integer iterable le lessthan lower lt mapping ne none
  number odd sameas sequence string test true undefined upper`.split(/\s+/);

describe("tests", () => {
  test("are Jinja's", () => {
    expect([...tests.keys()].sort()).toEqual(jinjaTests);
  });

  test.each([
    ["boolean", "true", "1"],
    ["callable", "dict", "'a'"],
    ["defined", "none", "missing"],
    ["even", "2.0", "3"],
    ["odd", "-1", "2"],
    ["divisibleby(3)", "9", "10"],
    ["false", "false", "0"],
    ["true", "true", "1"],
    ["none", "none", "missing"],
    ["float", "1.0", "1"],
    ["integer", "1", "true"],
    ["number", "true", "'1'"],
    ["iterable", "'a'", "1"],
    ["sequence", "(1,)", "{}.keys()"],
    ["mapping", "{}", "[]"],
    ["string", "''", "1"],
    ["lower", "'a1'", "'aA'"],
    ["upper", "'A1'", "1"],
    ["in [1, 2]", "1.0", "3"],
    ["eq 1", "true", "2"],
    ["ne 1", "2", "1.0"],
    ["gt 1", "2", "1"],
    ["le 1", "1", "2"],
    ["sameas none", "none", "false"],
    ["filter", "'upper'", "'nosuchfilter'"],
    ["test", "'odd'", "'nosuchtest'"],
    ["undefined", "missing", "none"],
  ])("%s accepts %s and rejects %s", (name, accepted, rejected) => {
    expect(printed(`[${accepted} is ${name}, ${rejected} is ${name}]`)).toBe("[True, False]");
  });

  test.each([
    ["'a' is odd", "TypeError: not all arguments converted during string formatting"],
    ["1 is divisibleby 0", "ZeroDivisionError: integer modulo by zero"],
    ["1 is gt 'a'", "TypeError: '>' not supported between instances of 'int' and 'str'"],
    ["1 is eq", "TypeError: eq() missing required argument 'other'"],
    ["1 is defined(1)", "TypeError: defined() takes at most 0 argument(s) (1 given)"],
    ["[] is filter", "TypeError: unhashable type: 'list'"],
  ])("%s raises %s", (expression, error) => {
    expect(raised(expression)).toBe(error);
  });
});
