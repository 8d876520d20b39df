import { describe, expect, test } from "bun:test";
import { parseJson } from "../../src/json/lossless.ts";
import { jsonEqual } from "../../src/json/python-equality.ts";

describe("jsonEqual()", () => {
  test.each([
    ["1", "1.0", true],
    ["1", "true", true],
    ["0", "false", true],
    ['"1"', "1", false],
    ["null", "false", false],
    ["9007199254740993", "9007199254740992.0", false],
    ["9007199254740992", "9007199254740992.0", true],
    ["123456789012345678901", "123456789012345678901", true],
    ['{"a": 1, "b": [2]}', '{"b": [2.0], "a": true}', true],
    ['{"a": null}', "{}", false],
    ['{"a": null}', '{"b": null}', false],
    ["[1, 2]", "[2, 1]", false],
    ["[]", "{}", false],
    ["[]", "null", false],
  ])("%s == %s is %p in Python", (left, right, equal) => {
    expect(jsonEqual(parseJson(left), parseJson(right))).toBe(equal);
    expect(jsonEqual(parseJson(right), parseJson(left))).toBe(equal);
  });
});
