import { expect, test } from "bun:test";
import { titoFamilies } from "../../src/config.ts";
import { familyDefinitions } from "../../src/tito/families.ts";
import { familyOnTest } from "../fixtures/family-checkpoints.ts";

test("familyDefinitions has every family once, each with a name of its own", () => {
  expect(Object.keys(familyDefinitions)).toEqual([...titoFamilies]);
  const names = Object.values(familyDefinitions).map((definition) => definition.className);
  expect(new Set(names).size).toBe(titoFamilies.length);
});

test("every family resolves its tokens and compiles its template", () => {
  for (const family of titoFamilies) expect(familyOnTest(family).tito).toBeDefined();
});
