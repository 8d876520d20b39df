import { describe, expect, test } from "bun:test";
import {
  attributeGetter,
  attributesGetter,
  ignoreCase,
} from "../../src/chat-template/filter-definition.ts";
import { json } from "./rendering.ts";

describe("attributeGetter()", () => {
  test("follows a dotted path, digits as indices", () => {
    expect(attributeGetter("a.1.b")(json('{"a": [0, {"b": 2}]}'))).toBe(2);
    expect(attributeGetter(0)(json("[5]"))).toBe(5);
    expect(attributeGetter(null)("itself")).toBe("itself");
  });

  test("replaces what is missing on the way", () => {
    expect(attributeGetter("a.b", "dflt")(json("{}"))).toBe("dflt");
    expect(attributeGetter("a", "dflt")(json("{}"))).toBe("dflt");
    expect(attributeGetter("a", "dflt")(json('{"a": null}'))).toBeNull();
  });
});

describe("attributesGetter()", () => {
  test("gives one value per path", () => {
    expect(attributesGetter("a,b.c", ignoreCase)(json('{"a": "X", "b": {"c": 1}}'))).toEqual([
      "x",
      1,
    ]);
  });
});
