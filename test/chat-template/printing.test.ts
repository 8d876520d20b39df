import { describe, expect, test } from "bun:test";
import { print, represent } from "../../src/chat-template/printing.ts";
import { PythonFunction, Tuple, Undefined } from "../../src/chat-template/values.ts";

describe("print() and represent()", () => {
  test("differ for texts and Undefined, at the outside only", () => {
    const gone = new Undefined("gone");
    expect([print("a'"), represent("a'")]).toEqual(["a'", `"a'"`]);
    expect([print(gone), represent(gone)]).toEqual(["", "Undefined"]);
    expect(print([gone, "a"])).toBe("[Undefined, 'a']");
  });

  test("write values inside values", () => {
    const value = new Map([[new Tuple([1]), [new Tuple([]), new Map([["k", null]])]]]);
    expect(print(value as never)).toBe("{(1,): [(), {'k': None}]}");
    expect(print([new PythonFunction("f", () => null)])).toBe("[<function f>]");
  });
});
