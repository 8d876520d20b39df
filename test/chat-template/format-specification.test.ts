import { describe, expect, test } from "bun:test";
import { formatValue } from "../../src/chat-template/format-specification.ts";
import { JsonFloat } from "../../src/json/values.ts";
import { failure } from "./rendering.ts";

const float = (value: number) => new JsonFloat(value);

describe("formatValue()", () => {
  test.each([
    ["abc", "", "abc"],
    ["abc", ">6", "   abc"],
    ["abc", "*^8.2", "***ab***"],
    ["abc", "05", "abc00"],
    [42, "", "42"],
    [42, "5", "   42"],
    [42, "<5", "42   "],
    [-42, "06", "-00042"],
    [42, "+", "+42"],
    [42, " ", " 42"],
    [1234567, ",", "1,234,567"],
    [1234567, "_x", "12_d687"],
    [255, "#x", "0xff"],
    [255, "#010b", "0b11111111"],
    [97, "c", "a"],
    [1234, "010,", "00,001,234"],
    [42, ".1f", "42.0"],
    [true, "", "True"],
    [true, "d", "1"],
    [float(2.71928), ".2f", "2.72"],
    [float(2.5), ".0f", "2"],
    [float(1234.5), ",.1f", "1,234.5"],
    [float(0.25), "%", "25.000000%"],
    [float(1e10), "", "10000000000.0"],
    [float(1e16), "", "1e+16"],
    [float(12345.678), "e", "1.234568e+04"],
    [float(0.0001), "g", "0.0001"],
    [float(1e-5), "g", "1e-05"],
    [float(3), ".3", "3.0"],
    [float(Number.NaN), "8.2f", "     nan"],
    [float(-0), "+.1f", "-0.0"],
    [null, "", "None"],
  ])("of %p with %j is %j", (value, specification, text) => {
    expect(formatValue(value, specification)).toBe(text);
  });

  test.each([
    ["a", "d", "Unknown format code 'd' for object of type 'str'"],
    ["a", "+", "Sign not allowed in string format specifier"],
    [1, ".2", "Precision not allowed in integer format specifier"],
    [1, "s", "Unknown format code 's' for object of type 'int'"],
    [1, "5q", "Invalid format specifier '5q' for object of type 'int'"],
    [null, "5", "unsupported format string passed to NoneType.__format__"],
  ])("of %p rejects %j", (value, specification, reason) => {
    expect(failure(() => formatValue(value, specification)).reason).toBe(reason);
  });
});
