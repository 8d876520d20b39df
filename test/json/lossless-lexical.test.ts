import { describe, expect, test } from "bun:test";
import {
  codePointLength,
  describePlace,
  fractionEnd,
  integerEnd,
  stringFault,
} from "../../src/json/lossless-lexical.ts";

describe("integerEnd() and fractionEnd()", () => {
  test.each([
    ["12.5e+3,", 7],
    ["0.5", 3],
    ["01", 1],
    ["1.", 1],
    ["1.e5", 1],
    ["1e", 1],
    ["1e+", 1],
    ["1E5", 3],
    ["12abc", 2],
  ])("find where the number in %j ends", (text, end) => {
    expect(fractionEnd(text, integerEnd(text, 0))).toBe(end);
  });
});

describe("stringFault()", () => {
  test("names the first of several faults", () => {
    expect(stringFault('"a\\q\n', 0)).toEqual({ reason: "Invalid \\escape", index: 2 });
  });
});

describe("describePlace()", () => {
  test("counts lines and code points", () => {
    expect(describePlace("😀\n😀x", 5)).toBe("line 2 column 2 (char 3)");
  });
});

describe("codePointLength()", () => {
  test("counts a pair once and a lone surrogate once", () => {
    expect(codePointLength("a😀\ud800\udc00\ud800")).toBe(4);
  });
});
