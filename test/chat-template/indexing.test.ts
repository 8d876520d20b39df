import { describe, expect, test } from "bun:test";
import { integerArgument, Slice, sliceIndices } from "../../src/chat-template/indexing.ts";
import { failure } from "./rendering.ts";

describe("sliceIndices() are those of Python's slice.indices", () => {
  test.each([
    [
      [null, null, null],
      [0, 1, 2, 3, 4],
    ],
    [
      [1, 3, null],
      [1, 2],
    ],
    [
      [-2, null, null],
      [3, 4],
    ],
    [
      [null, -2, null],
      [0, 1, 2],
    ],
    [
      [null, null, 2],
      [0, 2, 4],
    ],
    [
      [null, null, -1],
      [4, 3, 2, 1, 0],
    ],
    [
      [3, 0, -2],
      [3, 1],
    ],
    [
      [-10, 10, null],
      [0, 1, 2, 3, 4],
    ],
    [
      [10, -10, -1],
      [4, 3, 2, 1, 0],
    ],
    [[4, 1, null], []],
    [
      [true, 3n, null],
      [1, 2],
    ],
  ])("%p", ([start, stop, step], indices) => {
    const slice = new Slice(start as never, stop as never, step as never);
    expect(sliceIndices(slice, 5)).toEqual(indices);
  });

  test("reject a step of zero and bounds that are no integers", () => {
    expect(failure(() => sliceIndices(new Slice(null, null, 0), 5))).toMatchObject({
      pythonClass: "ValueError",
    });
    expect(failure(() => sliceIndices(new Slice("a", null, null), 5))).toMatchObject({
      pythonClass: "TypeError",
    });
  });
});

describe("integerArgument()", () => {
  test("takes ints and bools, and no int beyond what a size can be", () => {
    expect([integerArgument(3), integerArgument(true)]).toEqual([3, 1]);
    expect(failure(() => integerArgument(2n ** 64n)).pythonClass).toBe("OverflowError");
    expect(failure(() => integerArgument("1")).reason).toBe(
      "'str' object cannot be interpreted as an integer",
    );
  });
});
