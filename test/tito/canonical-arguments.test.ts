import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { parseJson } from "../../src/json/lossless.ts";
import { pythonJson } from "../../src/json/python-json.ts";
import type { JsonValue } from "../../src/json/values.ts";
import { canonicalArguments } from "../../src/tito/canonical-arguments.ts";

describe("canonicalArguments()", () => {
  const same: [title: string, ...spellings: JsonValue[]][] = [
    ["the empty object", null, "", "{}", " { } ", new Map()],
    ["the order of keys", '{"a":1,"b":2}', '{"b":2,"a":1}'],
    ["one number", '{"a":1}', '{"a":1.0}', '{"a":10e-1}', '{"a":0.1E+1}', parseJson('{"a":1.0}')],
    ["zero", '{"a":0}', '{"a":-0}', '{"a":0.00}', '{"a":0e7}'],
    ["escapes", '{"\\u0061":"\\/\\u00e9"}', '{"a":"/é"}'],
    ["big integers", '{"a":12345678901234567890}', parseJson('{"a":12345678901234567890}')],
  ];
  for (const [title, first = null, ...others] of same) {
    test(`is one text for ${title}`, () => {
      const expected = canonicalArguments(first);
      expect(expected).toBeString();
      for (const other of others) expect(canonicalArguments(other)).toBe(expected);
    });
  }

  const different: [left: string, right: string][] = [
    ['{"a":1}', '{"a":true}'],
    ['{"a":1}', '{"a":"1"}'],
    ['{"a":1}', '{"a":1.00000000000000000001}'],
    ['{"a":12345678901234567890}', '{"a":12345678901234567891}'],
    ['{"a":[1,2]}', '{"a":[2,1]}'],
    ['{"a":null}', "{}"],
    ['{"a":"\\ud800"}', '{"a":"\\\\ud800"}'],
  ];
  for (const [left, right] of different) {
    test(`tells ${left} from ${right}`, () => {
      expect(canonicalArguments(left)).not.toBe(canonicalArguments(right));
    });
  }

  const without: JsonValue[] = [
    "nope",
    "[1]",
    '{"a":1,"a":1}',
    '{"a":{"b":1,"b":1}}',
    '{"a":NaN}',
    '{"a":Infinity}',
    '{"a":01}',
    '{"a":1.}',
    '{"a":+1}',
    '{"a":1,}',
    '{"a":1}x',
    '{"a":"x\ty"}',
    '{"a":"\\x"}',
    '{"a":"open}',
    '{"a":1e1000000000000000000}',
    "\ufeff{}",
    `{"a":${"[".repeat(2_000)}${"]".repeat(2_000)}}`,
    parseJson('{"a":NaN}'),
    [],
    1,
    true,
  ];
  for (const value of without) {
    test(`has no form for ${pythonJson(value).slice(0, 40)}`, () => {
      expect(canonicalArguments(value)).toBeNull();
    });
  }

  test("of a text is that of its value, for any JSON object", () => {
    const seed = Number(process.env["SEED"] ?? Date.now() % 2 ** 31);
    console.log(`canonical-arguments seed ${seed}`);
    fc.assert(
      fc.property(fc.dictionary(fc.string({ unit: "binary" }), fc.jsonValue()), (value) => {
        const text = JSON.stringify(value);
        expect(canonicalArguments(text)).toBe(canonicalArguments(parseJson(text)));
      }),
      { seed, numRuns: 300 },
    );
  });

  test("takes time linear in a text full of escaped quotes", () => {
    const text = JSON.stringify({ a: '"\\'.repeat(200_000) });
    expect(canonicalArguments(text)).toBe(text);
  });
});
