import { describe, expect, test } from "bun:test";
import {
  DictionaryView,
  GroupTuple,
  PythonIterator,
  PythonRange,
} from "../../src/chat-template/containers.ts";
import { equal } from "../../src/chat-template/equality.ts";
import { printed } from "./rendering.ts";

describe("PythonRange", () => {
  test.each([
    [0, 5, 2, [0, 2, 4]],
    [5, 0, -2, [5, 3, 1]],
    [3, 3, 1, []],
    [0, -1, 1, []],
  ])("from %p to %p by %p", (start, stop, step, items) => {
    const range = new PythonRange(start, stop, step);
    expect([...range.iterator()]).toEqual(items);
    expect(range.length()).toBe(items.length);
  });

  test("equals a range of the same numbers", () => {
    expect(equal(new PythonRange(0, 5, 2), new PythonRange(0, 6, 2))).toBe(true);
    expect(equal(new PythonRange(0, 0, 1), new PythonRange(9, 3, 1))).toBe(true);
    expect(equal(new PythonRange(0, 3, 1), [0, 1, 2])).toBe(false);
  });

  test("prints and slices as Python's", () => {
    expect(printed("(range(3), range(1, 9, 2)[1:3], range(4)[::-1]|list)")).toBe(
      "(range(0, 3), range(3, 7, 2), [3, 2, 1, 0])",
    );
  });
});

describe("DictionaryView", () => {
  const dictionary = new Map([["a", 1]]);

  test("prints with its type", () => {
    expect(printed("({'a': 1}.keys(), {'a': 1}.values(), {'a': 1}.items())")).toBe(
      "(dict_keys(['a']), dict_values([1]), dict_items([('a', 1)]))",
    );
  });

  test("of keys and items compares as a set, of values by identity", () => {
    const other = new Map([["a", 1]]);
    const view = (kind: "keys" | "values" | "items", of: Map<string, number>) =>
      new DictionaryView(kind, of as never);
    expect(equal(view("keys", dictionary), view("keys", other))).toBe(true);
    expect(equal(view("items", dictionary), view("items", other))).toBe(true);
    expect(equal(view("values", dictionary), view("values", other))).toBe(false);
  });
});

describe("PythonIterator", () => {
  test("is spent once", () => {
    const iterator = new PythonIterator("generator", [1, 2].values());
    expect(iterator.iterator().next().value).toBe(1);
    expect(iterator.iterator().next().value).toBe(2);
    expect(iterator.iterator().next().done).toBe(true);
    expect(iterator.isTrue()).toBe(true);
  });
});

describe("GroupTuple", () => {
  test("has its fields by place and by name", () => {
    const group = new GroupTuple(["key", [1]]);
    expect([group.attribute("grouper"), group.attribute("list")]).toEqual(["key", [1]]);
    expect(group.attribute("other")).toBeUndefined();
  });
});
