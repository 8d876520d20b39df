import { describe, expect, test } from "bun:test";
import {
  isTrue,
  Namespace,
  PythonFunction,
  Tuple,
  typeName,
  Undefined,
  type Value,
} from "../../src/chat-template/values.ts";
import { JsonFloat } from "../../src/json/values.ts";
import { failure } from "./rendering.ts";

describe("typeName() and isTrue()", () => {
  const values: [Value, string, boolean][] = [
    [null, "NoneType", false],
    [true, "bool", true],
    ["", "str", false],
    [0, "int", false],
    [10n ** 20n, "int", true],
    [new JsonFloat(-0), "float", false],
    [new JsonFloat(Number.NaN), "float", true],
    [[], "list", false],
    [new Map([["a", 1]]) as never, "dict", true],
    [new Tuple([]), "tuple", false],
    [new Undefined("gone"), "Undefined", false],
    [new Namespace(new Map()), "TemplateNamespace", true],
    [new PythonFunction("f", () => null), "builtin_function_or_method", true],
  ];

  test.each(values.map((row, index) => [index, ...row] as const))(
    "row %p",
    (_, value, name, truth) => {
      expect([typeName(value), isTrue(value)]).toEqual([name, truth]);
    },
  );
});

describe("Undefined", () => {
  test("raises its own error when it is used", () => {
    const gone = new Undefined(() => "no such thing", "SecurityError");
    for (const use of [() => gone.attribute("a"), () => gone.item(0), () => gone.callable]) {
      expect(failure(use)).toMatchObject({ pythonClass: "SecurityError", reason: "no such thing" });
    }
    expect(gone.attribute("__len__")).toBeUndefined();
  });
});

describe("Namespace", () => {
  test("takes no private names", () => {
    const namespace = new Namespace(new Map());
    namespace.assign("a", 1);
    expect(namespace.attribute("a")).toBe(1);
    expect(failure(() => namespace.assign("_a", 1)).pythonClass).toBe("SecurityError");
    expect(failure(() => new Namespace(new Map([["__x", 1]]))).pythonClass).toBe("SecurityError");
  });
});
