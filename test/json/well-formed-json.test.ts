import { expect, test } from "bun:test";
import { writeJson } from "../../src/json/lossless.ts";
import { wellFormedJson } from "../../src/json/well-formed-json.ts";

test("wellFormedJson() escapes halves of surrogate pairs, in names as well", () => {
  const value = new Map([["\udfff", "a\ud800\\\udc00😀\ud83d"]]);
  const text = wellFormedJson(value);
  expect(text).toBe('{"\\udfff":"a\\ud800\\\\\\udc00😀\\ud83d"}');
  expect(JSON.parse(text)).toEqual(Object.fromEntries(value));
});

test("wellFormedJson() is writeJson() for all else", () => {
  const value = new Map([["a", ["😀", 1, null]]]);
  expect(wellFormedJson(value)).toBe(writeJson(value));
});
