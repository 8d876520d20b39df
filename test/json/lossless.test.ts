import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { JsonSyntaxError, type MemberSpan, parseJson, writeJson } from "../../src/json/lossless.ts";
import { JsonFloat, type JsonValue } from "../../src/json/values.ts";
import { integerDigitsMax, jsonNestingMax } from "../../src/limits.ts";

const seed = Number(process.env["SEED"] ?? 20260801);

function parseError(text: string): JsonSyntaxError {
  try {
    parseJson(text);
  } catch (error) {
    if (error instanceof JsonSyntaxError) return error;
    throw error;
  }
  throw new Error(`accepted: ${text}`);
}

describe("parseJson() keeps", () => {
  test("integers exact at any size and apart from floats", () => {
    expect(parseJson("[1, 1.0, 1e5, -0, -0.0, 9007199254740993, 123456789012345678901]")).toEqual([
      1,
      new JsonFloat(1),
      new JsonFloat(1e5),
      0,
      new JsonFloat(-0),
      9007199254740993n,
      123456789012345678901n,
    ]);
  });

  test("NaN and infinities, as json.loads does", () => {
    expect(parseJson("[NaN, Infinity, -Infinity, 1e400]")).toEqual([
      new JsonFloat(Number.NaN),
      new JsonFloat(Number.POSITIVE_INFINITY),
      new JsonFloat(Number.NEGATIVE_INFINITY),
      new JsonFloat(Number.POSITIVE_INFINITY),
    ]);
  });

  test("members in the order written, the last duplicate at the first one's place", () => {
    const value = parseJson('{"10": 1, "2": 2, "a": 3, "10": 4, "__proto__": 5}') as Map<
      string,
      JsonValue
    >;
    expect([...value]).toEqual([
      ["10", 4],
      ["2", 2],
      ["a", 3],
      ["__proto__", 5],
    ]);
  });

  test("lone surrogate escapes", () => {
    expect(parseJson('"\\ud800 \\udc00 \\ud83d\\ude00"')).toBe("\ud800 \udc00 😀");
  });
});

describe("parseJson() reports", () => {
  // The words and places of CPython 3.11's json.
  test.each([
    ["", "Expecting value: line 1 column 1 (char 0)"],
    ["{", "Expecting property name enclosed in double quotes: line 1 column 2 (char 1)"],
    ['{"a" 1}', "Expecting ':' delimiter: line 1 column 6 (char 5)"],
    ['{"a": 1 "b"}', "Expecting ',' delimiter: line 1 column 9 (char 8)"],
    ["[1,]", "Expecting value: line 1 column 4 (char 3)"],
    ["[1]\n 2", "Extra data: line 2 column 2 (char 5)"],
    ["01", "Extra data: line 1 column 2 (char 1)"],
    ["1.", "Extra data: line 1 column 2 (char 1)"],
    ["-", "Expecting value: line 1 column 1 (char 0)"],
    ['"abc', "Unterminated string starting at: line 1 column 1 (char 0)"],
    ['"😀\n"', "Invalid control character at: line 1 column 3 (char 2)"],
    ['"\\x"', "Invalid \\escape: line 1 column 2 (char 1)"],
    ['"\\u12g4"', "Invalid \\uXXXX escape: line 1 column 3 (char 2)"],
    ["nul", "Expecting value: line 1 column 1 (char 0)"],
    ["\ufeff{}", "Expecting value: line 1 column 1 (char 0)"],
  ])("%j", (text, message) => {
    expect(parseError(text).message).toBe(message);
  });

  test("nesting beyond the bound, however deep, without touching the stack", () => {
    const deepest = "[".repeat(jsonNestingMax) + "]".repeat(jsonNestingMax);
    expect(parseJson(deepest)).toBeArray();
    expect(parseError(`[${deepest}]`).message).toStartWith(
      `Expecting at most ${jsonNestingMax} nested values: line 1 `,
    );
    expect(parseError('{"a":['.repeat(500_000)).index).toBe(3 * jsonNestingMax);
  });

  test("integers of more digits than Python converts", () => {
    const most = "1".repeat(integerDigitsMax);
    expect(parseJson(most)).toBe(BigInt(most));
    expect(parseError(`${most}1`).message).toStartWith("Expecting an integer of at most");
  });
});

describe("parseJson(members) gives", () => {
  test("the spans of the outermost object's members, duplicates included", () => {
    const text = ' {"a" : [1, {"b": 2}] ,\n"\\u0061":"x" , "c":1e5}';
    const members: MemberSpan[] = [];
    parseJson(text, { members });
    expect(
      members.map(({ name, start, valueStart, end }) => [
        name,
        text.slice(start, end),
        text.slice(valueStart, end),
      ]),
    ).toEqual([
      ["a", '"a" : [1, {"b": 2}]', '[1, {"b": 2}]'],
      ["a", '"\\u0061":"x"', '"x"'],
      ["c", '"c":1e5', "1e5"],
    ]);
  });

  test("nothing when the outermost value is no object", () => {
    const members: MemberSpan[] = [];
    parseJson('[{"a": 1}]', { members });
    expect(members).toBeEmpty();
  });
});

describe("parseJson() and JSON.parse agree", () => {
  test(`on every JSON text (seed ${seed})`, () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        expect(JSON.parse(writeJson(parseJson(text)))).toEqual(JSON.parse(text));
      }),
      { seed, numRuns: 500 },
    );
  });

  test(`on what is no JSON, but for NaN and infinities (seed ${seed})`, () => {
    fc.assert(
      fc.property(fc.json(), fc.nat(), fc.constantFrom('"', "{", "]", ",", "\\", "0"), mutation),
      { seed, numRuns: 1_000 },
    );
    function mutation(text: string, place: number, character: string): void {
      const at = place % (text.length + 1);
      const changed = text.slice(0, at) + character + text.slice(at);
      expect(accepts(() => parseJson(changed))).toBe(accepts(() => JSON.parse(changed)));
    }
  });
});

function accepts(parse: () => unknown): boolean {
  try {
    parse();
    return true;
  } catch {
    return false;
  }
}

describe("writeJson()", () => {
  test("writes what Python's compact json.dumps writes", () => {
    const text = '{"b":[1,1.0,1e-07,1e+16,123456789012345678901,null,true],"a":"é\\n\u2028"}';
    expect(writeJson(parseJson(text))).toBe(text);
  });
});
