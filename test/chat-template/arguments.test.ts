import { describe, expect, test } from "bun:test";
import { bindArguments } from "../../src/chat-template/arguments.ts";
import { failure } from "./rendering.ts";

const signature = { name: "f", parameters: ["a", "b", "c"], required: 1 };

describe("bindArguments()", () => {
  test("binds by place, then by name, and leaves the rest undefined", () => {
    expect(bindArguments(signature, [1, null], new Map([["c", 3]]))).toEqual([1, null, 3]);
    expect(bindArguments(signature, [1], new Map())).toEqual([1]);
  });

  test.each([
    [[1, 2, 3, 4], {}, "f() takes at most 3 argument(s) (4 given)"],
    [[1], { a: 1 }, "f() got multiple values for argument 'a'"],
    [[null], { a: 1 }, "f() got multiple values for argument 'a'"],
    [[1], { z: 1 }, "f() got an unexpected keyword argument 'z'"],
    [[], { b: 1 }, "f() missing required argument 'a'"],
  ])("rejects %j with %j", (args, keywords, reason) => {
    const error = failure(() => bindArguments(signature, args, new Map(Object.entries(keywords))));
    expect(error).toMatchObject({ pythonClass: "TypeError", reason });
  });

  test("takes no names for parameters that are positional only", () => {
    const positional = { ...signature, positionalOnly: true };
    expect(failure(() => bindArguments(positional, [], new Map([["a", 1]]))).pythonClass).toBe(
      "TypeError",
    );
  });
});
