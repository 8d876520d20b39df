import { describe, expect, test } from "bun:test";
import { JsonCursor } from "../../../src/tokenizer/byte-level-bpe/json-cursor.ts";

function cursorOf(text: string): JsonCursor {
  return new JsonCursor(new TextEncoder().encode(text));
}

test("readObject() gives each name and leaves the cursor behind the object", () => {
  const cursor = cursorOf('{ "a" : [1, {"x": "]\\""}], "b\\u0301": null,"c":-1.5e3 } ');
  const members: unknown[] = [];
  cursor.readObject((name) => members.push([name, cursor.readValue()]));
  cursor.requireEnd();
  expect(members).toEqual([
    ["a", [1, { x: ']"' }]],
    ["b\u0301", null],
    ["c", -1500],
  ]);
});

test("skipValue() and `index` allow to come back to a value", () => {
  const cursor = cursorOf('{"merges": [["a", "b"]], "vocab": {}}');
  let start = -1;
  cursor.readObject((name) => {
    if (name === "merges") start = cursor.index;
    cursor.skipValue();
  });
  cursor.index = start;
  expect(cursor.isAtArray).toBe(true);
  expect(cursor.readValue()).toEqual([["a", "b"]]);
});

test("enterArray() and nextElement() visit each element", () => {
  const values: unknown[] = [];
  const cursor = cursorOf("[1 ,2,[] ]");
  for (let isElement = cursor.enterArray(); isElement; isElement = cursor.nextElement()) {
    values.push(cursor.readValue());
  }
  expect(values).toEqual([1, 2, []]);
  const empty = cursorOf("[ ]");
  expect(empty.enterArray()).toBe(false);
  empty.requireEnd();
});

describe("refuses", () => {
  test.each([
    ["", 'no "{"'],
    ["[]", 'no "{"'],
    ['{"a" 1}', 'no ":"'],
    ['{"a": 1', "no comma"],
    ['{"a": 1 "b": 2}', "no comma"],
    ['{"a": 1,}', "no string"],
    ['{"a": "x}', "no end of a string"],
    ['{"a": [1, 2}', "a broken value"],
    ['{"a": [1, 2', "no end"],
    ['{"a": [1, 2}, "b": 1]}', "a broken value"],
    ['{"a": 01}', "a broken value"],
    ['{"a": tru}', "a broken value"],
    ['{"a": }', "a broken value"],
    ['{"a": 1, "a": 2}', 'a repeated member "a"'],
    ['{"a": 1} x', "more text"],
    ['{"\ud83d": 1, "\ufffd": 2}', "a repeated member"],
  ])("%s", (text, reason) => {
    const cursor = cursorOf(text);
    const read = () => {
      cursor.readObject(() => cursor.readValue());
      cursor.requireEnd();
    };
    expect(read).toThrow(reason);
  });

  test("bytes that are no UTF-8", () => {
    const cursor = new JsonCursor(Uint8Array.of(0x22, 0xff, 0x22));
    expect(() => cursor.readString()).toThrow("a broken value");
  });
});
