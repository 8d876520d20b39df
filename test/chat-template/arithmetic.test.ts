import { describe, expect, test } from "bun:test";
import { integer, operate, signed } from "../../src/chat-template/arithmetic.ts";
import { Tuple } from "../../src/chat-template/values.ts";
import { JsonFloat } from "../../src/json/values.ts";
import { failure, json, printed, raised } from "./rendering.ts";

describe("operate() on numbers", () => {
  test.each([
    ["7 // 2, -7 // 2, 7 // -2, -7 // -2", "(3, -4, -4, 3)"],
    ["7 % 3, -7 % 3, 7 % -3, -7 % -3", "(1, 2, -2, -1)"],
    ["7.5 // 2, -7.5 // 2, 7.5 % -2, -0.0 // 4", "(3.0, -4.0, -0.5, -0.0)"],
    ["1 / 2, 4 / 2, true + true, 2 * 1.5", "(0.5, 2.0, 2, 3.0)"],
    [
      "2 ** 10, 2 ** 64, 2 ** -1, 2 ** 0.5",
      "(1024, 18446744073709551616, 0.5, 1.4142135623730951)",
    ],
    ["9007199254740991 + 2, 3037000500 * 3037000500", "(9007199254740993, 9223372037000250000)"],
    ["9007199254740993 - 2, 10 ** 20 // 10 ** 19", "(9007199254740991, 10)"],
    ["10 / 12345678901234567890123, 1e-7 ** 3", "(8.1000000729e-22, 1e-21)"],
    ["- 5, + true, - 0.0, - (2 ** 53)", "(-5, 1, -0.0, -9007199254740992)"],
  ])("%s is %s", (expressions, values) => {
    expect(printed(`(${expressions})`)).toBe(values);
  });

  test.each([
    ["1 / 0", "ZeroDivisionError: division by zero"],
    ["1 // 0", "ZeroDivisionError: integer division or modulo by zero"],
    ["1 % 0", "ZeroDivisionError: integer modulo by zero"],
    ["1.0 % 0", "ZeroDivisionError: float modulo"],
    ["0 ** -1", "ZeroDivisionError: 0.0 cannot be raised to a negative power"],
    ["1e200 ** 2", "OverflowError: (34, 'Numerical result out of range')"],
    ["10 ** 400 * 1.0", "OverflowError: int too large to convert to float"],
    ["-'a'", "TypeError: bad operand type for unary -: 'str'"],
  ])("%s raises %s", (expression, error) => {
    expect(raised(expression)).toBe(error);
  });
});

describe("operate() on sequences", () => {
  test("joins and repeats texts, lists and tuples", () => {
    expect(operate("+", "a", "b")).toBe("ab");
    expect(operate("*", 2, "ab")).toBe("abab");
    expect(operate("*", [1], -1)).toEqual([]);
    expect(operate("+", new Tuple([1]), new Tuple([2]))).toEqual(new Tuple([1, 2]));
  });

  test.each([
    ["'a' + 1", 'TypeError: can only concatenate str (not "int") to str'],
    ["[1] + 'a'", 'TypeError: can only concatenate list (not "str") to list'],
    ["1 + 'a'", "TypeError: unsupported operand type(s) for +: 'int' and 'str'"],
    ["{} - none", "TypeError: unsupported operand type(s) for -: 'dict' and 'NoneType'"],
    ["'a' * 1.5", "TypeError: can't multiply sequence by non-int of type 'float'"],
    ["'a' + missing", "UndefinedError: 'missing' is undefined"],
    ["missing * 2", "UndefinedError: 'missing' is undefined"],
  ])("%s raises %s", (expression, error) => {
    expect(raised(expression)).toBe(error);
  });

  test("leaves its operands alone", () => {
    const list = json("[1]");
    operate("+", list, [2]);
    expect(list).toEqual([1]);
  });
});

describe("integer()", () => {
  test("gives a number exactly while it is safe", () => {
    expect(integer(2n ** 53n - 1n)).toBe(Number.MAX_SAFE_INTEGER);
    expect(integer(2n ** 53n)).toBe(2n ** 53n);
    expect(integer(-(2n ** 53n) + 1n)).toBe(Number.MIN_SAFE_INTEGER);
    expect(integer(-(2n ** 53n))).toBe(-(2n ** 53n));
  });
});

describe("signed()", () => {
  test("keeps zero an integer without sign", () => {
    expect(Object.is(signed("-", 0), 0)).toBe(true);
    expect(signed("-", new JsonFloat(0))).toEqual(new JsonFloat(-0));
  });

  test("raises the error of an Undefined", () => {
    expect(failure(() => printed("-missing")).pythonClass).toBe("UndefinedError");
  });
});
