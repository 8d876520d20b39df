import { expect, test } from "bun:test";
import { parseJson } from "../../src/json/lossless.ts";
import { readableArguments } from "../../src/json/readable-arguments.ts";

test.each([
  '{"a": 1.0}',
  ' {"a": 12345678901234567890}',
  '{"a":1,"a":2}',
  '{"a": "\\ud800"}',
  '{"a": 1e308}',
])("readableArguments() leaves %s as it is", (text) => {
  expect(readableArguments(text)).toBe(text);
});

test.each([
  "",
  "{",
  "nope",
  "[1]",
  "null",
  '"a"',
  '{"a": NaN}',
  '{"a": [-Infinity]}',
  '{"a": 1e400}',
])("readableArguments() knows no spelling of %j", (text) => {
  expect(readableArguments(text)).toBeNull();
});

test("readableArguments() writes an object", () => {
  expect(readableArguments(parseJson('{"a": 1.0, "b": "\\udc00"}'))).toBe(
    '{"a":1.0,"b":"\\udc00"}',
  );
  expect(readableArguments(parseJson('{"a": 1e400}'))).toBeNull();
  for (const value of [null, 7, [], true]) expect(readableArguments(value)).toBeNull();
});
