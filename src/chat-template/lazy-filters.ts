/**
 * Filters that give a generator: nothing of them runs, and nothing of them fails, before an item
 * is asked for.
 */
import { operate } from "./arithmetic.ts";
import type { Environment, Filter } from "./environment.ts";
import { checkHashable, equal, findKey, ordered, setKey } from "./equality.ts";
import { filterArgumentError, runtimeError, TemplateTypeError, typeError } from "./errors.ts";
import {
  attributeGetter,
  countedItems,
  filter,
  type Getter,
  generator,
  ignoreCase,
} from "./filter-definition.ts";
import { integerArgument } from "./indexing.ts";
import { listItems } from "./iteration.ts";
import { represent } from "./printing.ts";
import { type Dictionary, isTrue, type Keywords, Tuple, Undefined, type Value } from "./values.ts";

/** A generator of Jinja that looks at its source first: a false one gives nothing. */
function* whenTrue(value: Value, items: () => Generator<Value>): Generator<Value> {
  if (isTrue(value)) yield* items();
}

const map: Filter = (value, args, keywords, environment) =>
  generator(
    whenTrue(value, function* () {
      const transform = mapFunction(args, keywords, environment);
      for (const item of countedItems(value, environment)) yield transform(item);
    }),
  );

function mapFunction(args: Value[], keywords: Keywords, environment: Environment): Getter {
  const attribute = keywords.get("attribute");
  if (args.length === 0 && attribute !== undefined) {
    for (const name of keywords.keys()) {
      if (name !== "attribute" && name !== "default") {
        throw filterArgumentError(`Unexpected keyword argument ${represent(name)}`);
      }
    }
    return attributeGetter(attribute, keywords.get("default") ?? null);
  }
  const [name, ...rest] = args;
  if (name === undefined) throw filterArgumentError("map requires a filter argument");
  return (item) => {
    checkHashable(name);
    const found = typeof name === "string" ? environment.filters.get(name) : undefined;
    if (found === undefined) throw runtimeError(`No filter named ${represent(name)}.`);
    return found(item, rest, keywords, environment);
  };
}

/** select, reject, selectattr, rejectattr */
function choose(keep: boolean, byAttribute: boolean): Filter {
  return (value, args, keywords, environment) =>
    generator(
      whenTrue(value, function* () {
        const matches = predicate(args, keywords, byAttribute, environment);
        for (const item of countedItems(value, environment)) {
          if (matches(item) === keep) yield item;
        }
      }),
    );
}

function predicate(
  args: Value[],
  keywords: Keywords,
  byAttribute: boolean,
  environment: Environment,
): (item: Value) => boolean {
  const [attribute] = args;
  if (byAttribute && attribute === undefined) {
    throw filterArgumentError("Missing parameter for attribute name");
  }
  const subject: Getter = byAttribute ? attributeGetter(attribute ?? null) : (item) => item;
  const [name, ...rest] = byAttribute ? args.slice(1) : args;
  if (name === undefined) return (item) => isTrue(subject(item));
  return (item) => {
    const value = subject(item);
    checkHashable(name);
    const test = typeof name === "string" ? environment.tests.get(name) : undefined;
    if (test === undefined) throw runtimeError(`No test named ${represent(name)}.`);
    return test(value, rest, keywords, environment);
  };
}

function* unique(
  value: Value,
  caseSensitive: Value,
  attribute: Value,
  environment: Environment,
): Generator<Value> {
  const getter = attributeGetter(attribute);
  const seen: Dictionary = new Map();
  for (const item of countedItems(value, environment)) {
    const found = getter(item);
    const key = isTrue(caseSensitive) ? found : ignoreCase(found);
    if (findKey(seen, key) !== undefined) continue;
    setKey(seen, key, null);
    yield item;
  }
}

function* batch(
  value: Value,
  size: Value,
  filler: Value,
  environment: Environment,
): Generator<Value> {
  let row: Value[] = [];
  for (const item of countedItems(value, environment)) {
    if (equal(row.length, size)) {
      yield row;
      row = [];
    }
    row.push(item);
  }
  if (row.length === 0) return;
  if (filler !== null && ordered("<", row.length, size)) {
    const missing = integerArgument(operate("-", size, row.length));
    for (let count = 0; count < missing; count += 1) {
      environment.countIteration();
      row.push(filler);
    }
  }
  yield row;
}

function* slice(
  value: Value,
  slices: Value,
  filler: Value,
  environment: Environment,
): Generator<Value> {
  const items = listItems(value);
  if (slices instanceof Undefined) throw slices.error();
  const count = integerArgument(slices);
  if (count === 0) {
    throw new TemplateTypeError("ZeroDivisionError", "integer division or modulo by zero");
  }
  const perSlice = Math.floor(items.length / count);
  const withExtra = items.length - perSlice * count;
  let offset = 0;
  for (let number = 0; number < count; number += 1) {
    environment.countIteration();
    const start = offset + number * perSlice;
    if (number < withExtra) offset += 1;
    const part = items.slice(start, offset + (number + 1) * perSlice);
    if (filler !== null && number >= withExtra) part.push(filler);
    yield part;
  }
}

function* items(value: Value): Generator<Value> {
  if (value instanceof Undefined) return;
  if (!(value instanceof Map)) throw typeError("Can only get item pairs from a mapping.");
  for (const pair of value) yield new Tuple(pair);
}

export const lazyFilters: ReadonlyMap<string, Filter> = new Map<string, Filter>([
  [
    "batch",
    filter("batch", ["linecount", "fill_with"], 1, (value, [size = null, filler = null], env) =>
      generator(batch(value, size, filler, env)),
    ),
  ],
  ["items", filter("items", [], 0, (value) => generator(items(value)))],
  ["map", map],
  ["reject", choose(false, false)],
  ["rejectattr", choose(false, true)],
  ["select", choose(true, false)],
  ["selectattr", choose(true, true)],
  [
    "slice",
    filter("slice", ["slices", "fill_with"], 1, (value, [slices = null, filler = null], env) =>
      generator(slice(value, slices, filler, env)),
    ),
  ],
  [
    "unique",
    filter("unique", ["case_sensitive", "attribute"], 0, (value, args, environment) => {
      const [caseSensitive = false, attribute = null] = args;
      return generator(unique(value, caseSensitive, attribute, environment));
    }),
  ],
]);
