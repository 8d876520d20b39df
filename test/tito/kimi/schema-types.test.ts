import { expect, test } from "bun:test";
import { ArrayType, describe, PlainType } from "../../../src/tito/kimi/schema-types.ts";
import { object } from "../../fixtures/json.ts";

test("describe() makes a comment of each line that is not empty", () => {
  expect(describe("a\n\nb", "  ")).toBe("  // a\n\n  // b");
});

test("PlainType tells the constraints of its type, by name", () => {
  const schema = object('{"minLength": 1, "maxLength": 2.0, "maximum": 3}');
  expect(new PlainType("string", schema).comment(" ")).toBe(" // maxLength: 2.0, minLength: 1\n");
  expect(new PlainType("boolean", schema).comment(" ")).toBe("");
});

test("ArrayType takes several lines for an item with a comment", () => {
  const item = new PlainType("string", object('{"description": "d"}'));
  expect(new ArrayType(new Map(), item).write("").text).toBe("Array<\n  // d\n  string\n>");
});
