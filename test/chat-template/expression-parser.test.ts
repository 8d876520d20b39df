import { describe, expect, test } from "bun:test";
import { printed, raised } from "./rendering.ts";

describe("precedence and association are Jinja's", () => {
  test.each([
    ["2 + 3 * 4", "14"],
    ["2 ** 3 ** 2", "64"],
    ["-2 ** 2", "4"],
    ["- 2 | abs", "2"],
    ["1 ~ 2 * 3", "16"],
    ["not 1 in [2]", "True"],
    ["1 not in [2]", "True"],
    ["not 1 == 2 and true", "True"],
    ["true or false and false", "True"],
    ["1 if true else 2 if true else 3", "1"],
    ["1 if false else 2 if false else 3", "3"],
    ["7 - 2 - 1", "4"],
    ["8 // 3 * 2", "4"],
    ["'a' in 'abc' == true", "False"],
    ["2 * 'a' | upper", "AA"],
    ["'a' ~ 'b' | upper", "aB"],
    ["1 is odd and 2 is even", "True"],
    ["[1, 2,][1]", "2"],
  ])("%s is %s", (expression, value) => {
    expect(printed(expression)).toBe(value);
  });

  test("~ binds more tightly than +", () => {
    expect(raised("1 ~ 2 + 3")).toBe('TypeError: can only concatenate str (not "int") to str');
  });
});
