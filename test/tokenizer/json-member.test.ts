import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { jsonMember } from "../../src/tokenizer/json-member.ts";

describe("jsonMember()", () => {
  const text = ` { "a" : {"x": "}\\"]", "b": [1, {"c": "d"}]} , "n":-1.5e3,"t":true, "b" : [ ] } `;

  const cases: [path: string[], value: string | null][] = [
    [["n"], "-1.5e3"],
    [["t"], "true"],
    [["b"], "[ ]"],
    [["a", "b"], '[1, {"c": "d"}]'],
    [["a", "x"], '"}\\"]"'],
    [["c"], null],
    [["a", "c"], null],
    [["n", "c"], null],
    [["b", "c"], null],
  ];
  for (const [path, value] of cases) {
    test(`finds ${path.join(".")}`, () => {
      expect(jsonMember(text, path)).toBe(value);
    });
  }

  test("has nothing to find in what is no object", () => {
    for (const other of ["", "[]", '"a"', "1", "{}"]) {
      expect(jsonMember(other, ["a"])).toBeNull();
    }
  });

  test("finds each member of any object", () => {
    const seed = Number(process.env["SEED"] ?? Date.now() % 2 ** 31);
    console.log(`json-member seed ${seed}`);
    const names = fc.string({ unit: fc.constantFrom("a", "b", "c", " ", "{", ",") });
    fc.assert(
      fc.property(fc.dictionary(names, fc.jsonValue()), fc.nat(2), (object, indent) => {
        const json = JSON.stringify(object, null, indent);
        for (const [name, value] of Object.entries(object)) {
          expect(JSON.parse(jsonMember(json, [name]) ?? "")).toEqual(
            JSON.parse(JSON.stringify(value)),
          );
        }
      }),
      { seed, numRuns: 200 },
    );
  });
});
