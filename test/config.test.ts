import { expect, test } from "bun:test";
import { familiesWithFixedRendering, isLogLevel, titoFamilies } from "../src/config.ts";

test("isLogLevel() knows the levels and nothing else", () => {
  expect(isLogLevel("debug")).toBe(true);
  expect(isLogLevel("trace")).toBe(false);
});

test("familiesWithFixedRendering names families that exist", () => {
  expect([...familiesWithFixedRendering].filter((name) => !titoFamilies.includes(name))).toEqual(
    [],
  );
});
