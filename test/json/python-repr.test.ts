import { describe, expect, test } from "bun:test";
import { parseJson } from "../../src/json/lossless.ts";
import { pythonRepr } from "../../src/json/python-repr.ts";

describe("pythonRepr()", () => {
  test.each([
    ["null", "None"],
    ["[true, false]", "[True, False]"],
    ["[1, 1.0, 1e16, 12345678901234567890]", "[1, 1.0, 1e+16, 12345678901234567890]"],
    ["[NaN, Infinity]", "[nan, inf]"],
    ['{"10": "a", "2": {}}', "{'10': 'a', '2': {}}"],
    ['"it\'s"', '"it\'s"'],
    ['"\\"q\\" it\'s"', "'\"q\" it\\'s'"],
    ['"a\\n\\t\\\\ \\u0000\\u007f\\u00a0\\u00e9"', "'a\\n\\t\\\\ \\x00\\x7f\\xa0é'"],
    ['"\\u2028\\ufeff\\ud800 😀"', "'\\u2028\\ufeff\\ud800 😀'"],
    ['"\\udb40\\udc01"', "'\\U000e0001'"],
  ])("of %s is %s", (text, repr) => {
    expect(pythonRepr(parseJson(text))).toBe(repr);
  });

  test("hands what is no JSON to its caller, inside of lists too", () => {
    const other = new (class Other {})();
    expect(pythonRepr([[other as never]], () => "<other>")).toBe("[[<other>]]");
  });
});
