import { describe, expect, test } from "bun:test";
import { InvalidRequestError } from "../../src/errors.ts";
import {
  object,
  refusedType,
  requireList,
  requireObject,
  requireText,
  textOf,
} from "../../src/protocols/members.ts";
import { jsonObject } from "./answers.ts";

const block = (value: object) => jsonObject(value);

test("object() keeps the order of members and leaves undefined ones out", () => {
  expect([...object({ b: 1, a: undefined, c: null })]).toEqual([
    ["b", 1],
    ["c", null],
  ]);
});

test.each([
  ["requireObject()", () => requireObject([], "x"), "x must be an object, got a list"],
  ["requireList()", () => requireList("a", "x"), "x must be a list, got a string"],
  ["requireText()", () => requireText(undefined, "x.y"), "x.y must be a string, got nothing"],
])("%s says what it expected", (_name, read, message) => {
  expect(read).toThrow(new InvalidRequestError(message));
});

describe("textOf()", () => {
  test("is a string, or the concatenation of text blocks", () => {
    expect(textOf("a", "x", ["text"])).toBe("a");
    expect(textOf([], "x", ["text"])).toBe("");
    const blocks = [block({ type: "text", text: "a" }), block({ type: "output_text", text: "b" })];
    expect(textOf(blocks, "x", ["text", "output_text"])).toBe("ab");
  });

  test.each([
    [null, "x must be a list, got null"],
    [[7], "x[0] must be an object, got a number"],
    [[block({ type: "image" })], 'x[0]: its type is "image", and only text can be taken here'],
    [[block({ text: "a" })], "x[0]: its type is not given, and only text can be taken here"],
    [[block({ type: "text" })], "x[0].text must be a string, got nothing"],
  ])("refuses %p", (value, message) => {
    expect(() => textOf(value, "x", ["text"])).toThrow(new InvalidRequestError(message));
  });
});

test("refusedType() names all that may stand there", () => {
  expect(refusedType("x", "a", ["b", "c"]).message).toBe(
    'x: its type is "a", and only b, c can be taken here',
  );
});
