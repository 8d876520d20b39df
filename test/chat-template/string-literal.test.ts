import { describe, expect, test } from "bun:test";
import { unescapeString } from "../../src/chat-template/string-literal.ts";
import { failure } from "./rendering.ts";

describe("unescapeString()", () => {
  test.each([
    ["plain é 😀", "plain é 😀"],
    ["\\n\\t\\r\\\\\\'\\\"", "\n\t\r\\'\""],
    ["\\a\\b\\f\\v", "\x07\b\f\v"],
    ["\\x41\\u00e9\\U0001f600", "Aé😀"],
    ["\\101\\0\\12x", "A\0\nx"],
    ["\\d\\.\\ ", "\\d\\.\\ "],
    ["a\\\nb", "ab"],
    ["\\x4142", "A42"],
  ])("%j is %j", (body, text) => {
    expect(unescapeString(body, 1)).toBe(text);
  });

  test.each([
    ["\\x4", "truncated \\xXX escape"],
    ["\\u12", "truncated \\uXX escape"],
    ["\\Uffffffff", "illegal Unicode character"],
    ["\\N{BULLET}", "the escape \\N in a string is not supported by this template engine"],
  ])("%j is an error: %s", (body, reason) => {
    expect(failure(() => unescapeString(body, 4))).toMatchObject({ reason, line: 4 });
  });
});
