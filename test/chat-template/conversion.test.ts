import { describe, expect, test } from "bun:test";
import { parseFloatText, parseInteger, truncateFloat } from "../../src/chat-template/conversion.ts";
import { failure } from "./rendering.ts";

describe("parseInteger() is int(text, base)", () => {
  test.each([
    ["42", 10, 42],
    [" -1_000\n", 10, -1000],
    ["+007", 10, 7],
    ["٣٤", 10, 34],
    ["123456789012345678901", 10, 123456789012345678901n],
    ["ff", 16, 255],
    ["0xFF", 16, 255],
    ["-0b11", 2, -3],
    ["z", 36, 35],
    ["0x1f", 0, 31],
    ["00", 0, 0],
    ["012", 0, undefined],
    ["0x1f", 10, undefined],
    ["8", 8, undefined],
    ["1__0", 10, undefined],
    ["_1", 10, undefined],
    ["", 10, undefined],
    ["1.5", 10, undefined],
    ["1", 1, undefined],
    ["1", "x", undefined],
  ])("%j in base %p is %p", (text, base, value) => {
    expect(parseInteger(text, base)).toBe(value as never);
  });
});

describe("parseFloatText() is float(text)", () => {
  test.each([
    [" 3.75\t", 3.75],
    ["1e3", 1000],
    [".5", 0.5],
    ["5.", 5],
    ["-1_0.5e-1", -1.05],
    ["-Infinity", Number.NEGATIVE_INFINITY],
    ["nan", Number.NaN],
    ["", undefined],
    [".", undefined],
    ["1e", undefined],
    ["0x10", undefined],
    ["1 2", undefined],
  ])("%j is %p", (text, value) => {
    expect(parseFloatText(text)).toBe(value as never);
  });
});

describe("truncateFloat()", () => {
  test("is exact beyond the safe integers and fails for what has no integer", () => {
    expect(truncateFloat(-2.7)).toBe(-2);
    expect(truncateFloat(1e20)).toBe(100000000000000000000n);
    expect(truncateFloat(Number.NaN)).toBeUndefined();
    expect(failure(() => truncateFloat(Number.POSITIVE_INFINITY)).pythonClass).toBe(
      "OverflowError",
    );
  });
});
