import { expect, test } from "bun:test";
import { parseJson } from "../../src/json/lossless.ts";
import { isTruthy } from "../../src/json/python-truth.ts";

for (const text of ["null", "false", "0", "0.0", "-0.0", '""', "[]", "{}"]) {
  test(`isTruthy() is false for ${text}`, () => {
    expect(isTruthy(parseJson(text))).toBe(false);
  });
}

for (const text of ["true", "1", "-1", "0.1", "NaN", '"0"', "[0]", '{"a": null}', `${2n ** 80n}`]) {
  test(`isTruthy() is true for ${text}`, () => {
    expect(isTruthy(parseJson(text))).toBe(true);
  });
}

test("isTruthy() is false for what is absent", () => {
  expect(isTruthy(undefined)).toBe(false);
});
