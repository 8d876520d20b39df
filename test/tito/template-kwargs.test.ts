import { describe, expect, test } from "bun:test";
import { InvalidRequestError } from "../../src/errors.ts";
import { JsonFloat, type JsonObject } from "../../src/json/values.ts";
import { defaultFamily } from "../../src/tito/families/default.ts";
import { familyKwargs, mergeKwargs } from "../../src/tito/template-kwargs.ts";

const family = {
  ...defaultFamily,
  requiredKwargs: new Map([["keep", true]]),
  completeKwargs: (kwargs: JsonObject) => new Map(kwargs).set("told", kwargs.size),
};

describe("familyKwargs()", () => {
  test("adds what the family requires, then what it completes", () => {
    expect([...familyKwargs(family, new Map([["a", 1]]))]).toEqual([
      ["a", 1],
      ["keep", true],
      ["told", 2],
    ]);
  });

  test("takes a value that is equal in Python and stores the family's own", () => {
    expect(familyKwargs(family, new Map([["keep", new JsonFloat(1)]])).get("keep")).toBe(true);
  });

  test("refuses a value that differs, null included", () => {
    for (const value of [false, null, "true"]) {
      expect(() => familyKwargs(family, new Map([["keep", value]]))).toThrow(InvalidRequestError);
    }
  });
});

describe("mergeKwargs()", () => {
  const base = new Map([
    ["a", 1],
    ["b", 2],
    ["c", 3],
  ]);

  test("lets the request win and keeps the rest", () => {
    expect([...mergeKwargs(base, new Map([["b", 9]]), [])]).toEqual([
      ["a", 1],
      ["b", 9],
      ["c", 3],
    ]);
  });

  test("takes all aliases out of the base when the request has one", () => {
    expect([...mergeKwargs(base, new Map([["b", 9]]), ["a", "b"])]).toEqual([
      ["c", 3],
      ["b", 9],
    ]);
    expect([...mergeKwargs(base, new Map([["d", 4]]), ["a", "b"]).keys()]).toEqual([
      "a",
      "b",
      "c",
      "d",
    ]);
  });
});
