import { describe, expect, test } from "bun:test";
import { compareNumbers, floatRepr, numbersEqual } from "../../src/json/python-number.ts";
import { JsonFloat } from "../../src/json/values.ts";

describe("floatRepr()", () => {
  test.each([
    [0, "0.0"],
    [-0, "-0.0"],
    [1, "1.0"],
    [1.5, "1.5"],
    [0.0001, "0.0001"],
    [0.00001, "1e-05"],
    [1.5e-7, "1.5e-07"],
    [1e15, "1000000000000000.0"],
    [9999999999999998, "9999999999999998.0"],
    [1e16, "1e+16"],
    [1.25e21, "1.25e+21"],
    [1e300, "1e+300"],
    [5e-324, "5e-324"],
    [Number.NaN, "nan"],
    [Number.NEGATIVE_INFINITY, "-inf"],
  ])("%p is %s", (value, text) => {
    expect(floatRepr(value)).toBe(text);
  });
});

describe("compareNumbers()", () => {
  test("is exact between integers and floats", () => {
    expect(compareNumbers(9007199254740993n, new JsonFloat(9007199254740992))).toBe(1);
    expect(numbersEqual(9007199254740992n, new JsonFloat(9007199254740992))).toBe(true);
    expect(compareNumbers(-(10n ** 400n), new JsonFloat(Number.NEGATIVE_INFINITY))).toBe(1);
  });

  test("takes bools for 0 and 1", () => {
    expect(numbersEqual(true, new JsonFloat(1))).toBe(true);
    expect(compareNumbers(false, 1)).toBe(-1);
  });

  test("makes no comparison with NaN true", () => {
    const nan = new JsonFloat(Number.NaN);
    expect(numbersEqual(nan, nan)).toBe(false);
    expect(compareNumbers(nan, 0)).toBeNaN();
  });
});
