/**
 * The tests behind `is`, as Jinja defines them.
 */
import { isPythonNumber } from "../json/python-number.ts";
import { JsonFloat } from "../json/values.ts";
import { bindArguments } from "./arguments.ts";
import { operate } from "./arithmetic.ts";
import { isLower, isUpper } from "./character-classes.ts";
import { DictionaryView } from "./containers.ts";
import type { Environment, Test } from "./environment.ts";
import { checkHashable, contains, equal, type Order, ordered } from "./equality.ts";
import { isIterable, optionalLength } from "./iteration.ts";
import { Markup } from "./markup.ts";
import { print } from "./printing.ts";
import { PythonObject, Undefined, type Value } from "./values.ts";

type Body = (value: Value, argument: Value, environment: Environment) => boolean;

/** A test of the value alone. */
function plain(name: string, body: Body): [string, Test] {
  const signature = { name, parameters: [], required: 0 };
  return [
    name,
    (value, args, keywords, environment) => {
      if (args.length > 0 || keywords.size > 0) bindArguments(signature, args, keywords);
      return body(value, null, environment);
    },
  ];
}

/** A test against one argument. */
function against(name: string, parameter: string, body: Body): [string, Test] {
  const signature = { name, parameters: [parameter], required: 1 };
  return [
    name,
    (value, args, keywords, environment) => {
      const [argument = null] = bindArguments(signature, args, keywords);
      return body(value, argument, environment);
    },
  ];
}

function orders(order: Order, names: string[]): [string, Test][] {
  return names.map((name) => against(name, "other", (a, b) => ordered(order, a, b)));
}

function equals(result: boolean, names: string[]): [string, Test][] {
  return names.map((name) => against(name, "other", (a, b) => equal(a, b) === result));
}

function remainderIs(value: Value, divisor: Value, wanted: number): boolean {
  return equal(operate("%", value, divisor), wanted);
}

function hasName(table: ReadonlyMap<string, unknown>, name: Value): boolean {
  checkHashable(name);
  return typeof name === "string" && table.has(name);
}

function isSequence(value: Value): boolean {
  if (value instanceof DictionaryView) return false;
  return optionalLength(value) !== undefined;
}

export const tests: ReadonlyMap<string, Test> = new Map<string, Test>([
  plain("boolean", (value) => typeof value === "boolean"),
  plain(
    "callable",
    (value) =>
      // An Undefined has __call__, which then raises.
      value instanceof Undefined || (value instanceof PythonObject && value.callable !== undefined),
  ),
  plain("defined", (value) => !(value instanceof Undefined)),
  plain("undefined", (value) => value instanceof Undefined),
  plain("escaped", (value) => value instanceof Markup),
  plain("even", (value) => remainderIs(value, 2, 0)),
  plain("odd", (value) => remainderIs(value, 2, 1)),
  against("divisibleby", "num", (value, divisor) => remainderIs(value, divisor, 0)),
  plain("false", (value) => value === false),
  plain("true", (value) => value === true),
  plain("none", (value) => value === null),
  plain("filter", (value, _, { filters }) => hasName(filters, value)),
  plain("test", (value, _, { tests: known }) => hasName(known, value)),
  plain("float", (value) => value instanceof JsonFloat),
  plain("integer", (value) => typeof value === "number" || typeof value === "bigint"),
  plain("number", isPythonNumber),
  plain("iterable", isIterable),
  plain("sequence", isSequence),
  plain("mapping", (value) => value instanceof Map),
  plain("string", (value) => typeof value === "string" || value instanceof Markup),
  plain("lower", (value) => isLower(print(value))),
  plain("upper", (value) => isUpper(print(value))),
  against("sameas", "other", (value, other) => value === other),
  against("in", "seq", (value, container) => contains(container, value)),
  ...equals(true, ["==", "eq", "equalto"]),
  ...equals(false, ["!=", "ne"]),
  ...orders(">", [">", "gt", "greaterthan"]),
  ...orders(">=", [">=", "ge"]),
  ...orders("<", ["<", "lt", "lessthan"]),
  ...orders("<=", ["<=", "le"]),
]);
