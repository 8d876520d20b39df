/**
 * How filters are written down: parameters by name, and the attribute paths many of them take.
 */
import { bindArguments } from "./arguments.ts";
import { PythonIterator } from "./containers.ts";
import type { Environment, Filter } from "./environment.ts";
import { typeError } from "./errors.ts";
import { iterate } from "./iteration.ts";
import { getItem } from "./lookup.ts";
import { typeName, Undefined, type Value } from "./values.ts";

type Body = (value: Value, args: (Value | undefined)[], environment: Environment) => Value;

/** A filter whose parameters, beyond the value, may be given by place or by name. */
export function filter(
  name: string,
  parameters: readonly string[],
  required: number,
  body: Body,
): Filter {
  const signature = { name, parameters, required };
  return (value, args, keywords, environment) =>
    body(value, bindArguments(signature, args, keywords), environment);
}

/** A generator as a value: its body does not run before the first item is asked for. */
export function generator(source: Generator<Value>): PythonIterator {
  return new PythonIterator("generator", source);
}

/** The items of a value one by one, each counted. */
export function* countedItems(value: Value, environment: Environment): Generator<Value> {
  const items = iterate(value);
  for (let step = items.next(); step.done !== true; step = items.next()) {
    environment.countIteration();
    yield step.value;
  }
}

export type Getter = (item: Value) => Value;

/** make_attrgetter: a dotted path, whose digits are indices; null gives the item itself. */
export function attributeGetter(attribute: Value, missing: Value = null): Getter {
  const parts = attributeParts(attribute);
  return (item) => {
    let value = item;
    for (const part of parts) {
      value = getItem(value, part);
      if (missing !== null && value instanceof Undefined) value = missing;
    }
    return value;
  };
}

/** make_multi_attrgetter: paths separated by commas; the getter gives a list. */
export function attributesGetter(attribute: Value, transform: Getter): Getter {
  const paths = typeof attribute === "string" ? attribute.split(",") : [attribute];
  const getters = paths.map((path) => attributeGetter(path));
  return (item) => getters.map((getter) => transform(getter(item)));
}

function attributeParts(attribute: Value): Value[] {
  if (attribute === null) return [];
  if (typeof attribute !== "string") return [attribute];
  return attribute.split(".").map((part) => (/^\d+$/.test(part) ? Number(part) : part));
}

/** ignore_case: texts compare in lower case. */
export function ignoreCase(value: Value): Value {
  return typeof value === "string" ? value.toLowerCase() : value;
}

export function textOf(value: Value | undefined, what: string): string {
  if (typeof value === "string") return value;
  if (value instanceof Undefined) throw value.error();
  throw typeError(`${what} must be str, not ${typeName(value ?? null)}`);
}
