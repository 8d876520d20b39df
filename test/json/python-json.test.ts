import { describe, expect, test } from "bun:test";
import { parseJson } from "../../src/json/lossless.ts";
import { compareCodePoints, pythonJson } from "../../src/json/python-json.ts";

const value = parseJson('{"b": [1, {}], "a": [], "é": "\\u007f\\ud83d\\ude00"}');

describe("pythonJson() writes json.dumps", () => {
  test("with its defaults but for ensure_ascii", () => {
    expect(pythonJson(value)).toBe('{"b": [1, {}], "a": [], "é": "\u007f😀"}');
  });

  test("with ensure_ascii", () => {
    expect(pythonJson(value, { ensureAscii: true })).toBe(
      '{"b": [1, {}], "a": [], "\\u00e9": "\\u007f\\ud83d\\ude00"}',
    );
  });

  test("with indent and sort_keys", () => {
    expect(pythonJson(value, { indent: 2, sortKeys: true })).toBe(
      '{\n  "a": [],\n  "b": [\n    1,\n    {}\n  ],\n  "é": "\u007f😀"\n}',
    );
  });

  test("with separators", () => {
    expect(pythonJson(parseJson("[1, [2]]"), { separators: [";", "="], indent: "\t" })).toBe(
      "[\n\t1;\n\t[\n\t\t2\n\t]\n]",
    );
  });

  test("and keeps lone surrogates and what only looks like one", () => {
    expect(pythonJson("\ud800\\ud800\udc00😀")).toBe('"\ud800\\\\ud800\udc00😀"');
  });

  test("and NaN and infinities by name", () => {
    expect(pythonJson(parseJson("[NaN, Infinity, -Infinity]"))).toBe("[NaN, Infinity, -Infinity]");
  });
});

describe("compareCodePoints()", () => {
  test("orders by code point where UTF-16 does not", () => {
    expect(["\uffff", "😀", "a", "", "ab", "\ud800", "\ue000"].sort(compareCodePoints)).toEqual([
      "",
      "a",
      "ab",
      "\ud800",
      "\ue000",
      "\uffff",
      "😀",
    ]);
  });
});
