import { describe, expect, test } from "bun:test";
import { printed, raised } from "./rendering.ts";

describe("numberAttribute()", () => {
  test.each([
    ["(5).real, (5).imag, (5).numerator, (5).denominator", "(5, 0, 5, 1)"],
    ["(5).bit_length(), (0).bit_length(), (-7).bit_count()", "(3, 0, 3)"],
    ["(true).real, (true).as_integer_ratio()", "(1, (1, 1))"],
    ["(0.75).as_integer_ratio(), (2.0).is_integer()", "((3, 4), True)"],
    ["(1.5).real, (1.5).imag, (1.5).conjugate()", "(1.5, 0.0, 1.5)"],
    ["(5).nothing is defined, (1.5).bit_length is defined", "(False, False)"],
  ])("%s", (expressions, values) => {
    expect(printed(`(${expressions})`)).toBe(values);
  });

  test("methods take no arguments", () => {
    expect(raised("(5).bit_length(1)")).toBe(
      "TypeError: bit_length() takes no arguments (1 given)",
    );
  });

  test("refuses what makes bytes", () => {
    expect(raised("(5).to_bytes(1)")).toEndWith("is not supported by this template engine");
  });
});
