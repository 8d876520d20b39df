import { describe, expect, test } from "bun:test";
import { PythonIterator } from "../../src/chat-template/containers.ts";
import { isIterable, lengthOf, listItems, unpack } from "../../src/chat-template/iteration.ts";
import { Undefined } from "../../src/chat-template/values.ts";
import { failure, json } from "./rendering.ts";

describe("listItems()", () => {
  test("goes by code points, keys and items", () => {
    expect(listItems("a😀")).toEqual(["a", "😀"]);
    expect(listItems(json('{"b": 1, "a": 2}'))).toEqual(["b", "a"]);
    expect(listItems(new Undefined("gone"))).toEqual([]);
    expect(failure(() => listItems(1)).reason).toBe("'int' object is not iterable");
  });
});

describe("lengthOf()", () => {
  test("is len()", () => {
    expect([lengthOf("a😀"), lengthOf(json("[1, 2]")), lengthOf(new Undefined("gone"))]).toEqual([
      2, 2, 0,
    ]);
    expect(failure(() => lengthOf(new PythonIterator("generator", [].values()))).reason).toBe(
      "object of type 'generator' has no len()",
    );
  });
});

describe("unpack()", () => {
  test("gives exactly the items asked for", () => {
    expect(unpack("ab", 2)).toEqual(["a", "b"]);
    expect(unpack(new PythonIterator("generator", [1, 2].values()), 2)).toEqual([1, 2]);
  });

  test.each([
    [[1, 2, 3], "ValueError", "too many values to unpack (expected 2)"],
    [[1], "ValueError", "not enough values to unpack (expected 2, got 1)"],
    [1, "TypeError", "cannot unpack non-iterable int object"],
  ])("of %p raises %s", (value, pythonClass, reason) => {
    expect(failure(() => unpack(value, 2))).toMatchObject({ pythonClass, reason });
  });

  test("takes no more of an iterator than it must", () => {
    const source = [1, 2, 3, 4].values();
    expect(failure(() => unpack(new PythonIterator("generator", source), 2)).reason).toStartWith(
      "too many",
    );
    expect(source.next().value).toBe(4);
  });
});

describe("isIterable()", () => {
  test("knows numbers and None from the rest", () => {
    expect([isIterable("a"), isIterable([]), isIterable(null), isIterable(1)]).toEqual([
      true,
      true,
      false,
      false,
    ]);
  });
});
