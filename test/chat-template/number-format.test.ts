import { describe, expect, test } from "bun:test";
import {
  exponential,
  fixed,
  general,
  grouped,
  roundFloat,
} from "../../src/chat-template/number-format.ts";
import { failure } from "./rendering.ts";

describe("fixed() rounds the exact value, ties to even", () => {
  test.each([
    [0.5, 0, "0"],
    [1.5, 0, "2"],
    [2.5, 0, "2"],
    [-2.5, 0, "-2"],
    [0.125, 2, "0.12"],
    [0.375, 2, "0.38"],
    [2.675, 2, "2.67"],
    [1.005, 2, "1.00"],
    [-0.001, 2, "-0.00"],
    [-0, 1, "-0.0"],
    [1e21, 1, "1000000000000000000000.0"],
    [123456.789, 1, "123456.8"],
  ])("%p to %p digits is %s", (value, digits, text) => {
    expect(fixed(value, digits)).toBe(text);
  });

  test("has a bound of digits", () => {
    expect(failure(() => fixed(1, 100)).reason).toStartWith("precision of a number");
  });
});

describe("exponential() and general()", () => {
  test("write two digits of exponent at least", () => {
    expect(exponential(12345.678, 2)).toBe("1.23e+04");
    expect(exponential(1e-100, 0)).toBe("1e-100");
    expect(general(100000, 6, false)).toBe("100000");
    expect(general(1000000, 6, false)).toBe("1e+06");
    expect(general(0.0001, 6, true)).toBe("0.000100000");
  });
});

describe("grouped()", () => {
  test("separates from the right", () => {
    expect([grouped("1234567", ","), grouped("123", ","), grouped("12345", "_", 4)]).toEqual([
      "1,234,567",
      "123",
      "1_2345",
    ]);
  });
});

describe("roundFloat()", () => {
  test.each([
    [2.5, 0, 2],
    [2.675, 2, 2.67],
    [1234.5, -2, 1200],
    [1e300, 5, 1e300],
    [Number.NaN, 0, Number.NaN],
  ])("of %p to %p is %p", (value, digits, rounded) => {
    expect(roundFloat(value, digits)).toBe(rounded);
  });
});
