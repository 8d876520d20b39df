/**
 * Filters that take a sequence as a whole: order, choice, grouping, joining.
 */
import { add } from "./arithmetic.ts";
import { DictionaryView, GroupTuple, PythonIterator, PythonRange } from "./containers.ts";
import type { Environment, Filter } from "./environment.ts";
import { equal, ordered, sorted } from "./equality.ts";
import { filterArgumentError, TemplateTypeError, typeError } from "./errors.ts";
import {
  attributeGetter,
  attributesGetter,
  countedItems,
  filter,
  type Getter,
  ignoreCase,
} from "./filter-definition.ts";
import { isIterable, iterate, lengthOf, listItems } from "./iteration.ts";
import { print } from "./printing.ts";
import { boundedText, characters } from "./text.ts";
import { isTrue, Tuple, typeName, Undefined, type Value } from "./values.ts";

const same: Getter = (item) => item;

function caseFolding(caseSensitive: Value): Getter {
  return isTrue(caseSensitive) ? same : ignoreCase;
}

function join(value: Value, separator: Value, attribute: Value, environment: Environment): string {
  const getter = attribute === null ? same : attributeGetter(attribute);
  const parts: string[] = [];
  for (const item of countedItems(value, environment)) parts.push(print(getter(item)));
  return boundedText(parts.join(print(separator)));
}

/** reversed(value) as a list, undefined where Python has no reversed(). */
function reversedItems(value: Value): Value[] | undefined {
  if (Array.isArray(value)) return value.toReversed();
  if (value instanceof Map) return [...value.keys()].reverse();
  if (value instanceof Tuple) return value.items.toReversed();
  if (value instanceof PythonRange) return [...value.iterator()].reverse();
  if (value instanceof DictionaryView) return value.items().reverse();
  // An Undefined has the length and the items of an empty sequence.
  if (value instanceof Undefined) return [];
  return typeof value === "string" ? characters(value).reverse() : undefined;
}

function reverse(value: Value): Value {
  if (typeof value === "string") return characters(value).reverse().join("");
  const items = reversedItems(value);
  if (items !== undefined) {
    const kind = Array.isArray(value) ? "list_reverseiterator" : "reversed";
    return new PythonIterator(kind, items.values());
  }
  // What has no reversed() is reversed as a list.
  if (!isIterable(value)) throw filterArgumentError("argument must be iterable");
  return listItems(value).toReversed();
}

function last(value: Value): Value {
  const items = reversedItems(value);
  if (items === undefined) throw typeError(`'${typeName(value)}' object is not reversible`);
  const [item] = items;
  return item === undefined ? new Undefined("No last item, sequence was empty.") : item;
}

function first(value: Value): Value {
  const step = iterate(value).next();
  return step.done === true ? new Undefined("No first item, sequence was empty.") : step.value;
}

/** min and max: the first of equals wins. */
function extreme(name: "min" | "max"): Filter {
  return filter(name, ["case_sensitive", "attribute"], 0, (value, args, environment) => {
    const [caseSensitive = false, attribute = null] = args;
    const fold = caseFolding(caseSensitive);
    const getter = attributeGetter(attribute);
    let best: { item: Value; key: Value } | undefined;
    for (const item of countedItems(value, environment)) {
      const key = fold(getter(item));
      if (best === undefined || ordered(name === "min" ? "<" : ">", key, best.key)) {
        best = { item, key };
      }
    }
    if (best === undefined) return new Undefined("No aggregated item, sequence was empty.");
    return best.item;
  });
}

function sum(value: Value, attribute: Value, start: Value, environment: Environment): Value {
  if (typeof start === "string") {
    throw typeError("sum() can't sum strings [use ''.join(seq) instead]");
  }
  const getter = attribute === null ? same : attributeGetter(attribute);
  let total: Value = start;
  for (const item of countedItems(value, environment)) total = add(total, getter(item));
  return total;
}

function groupBy(value: Value, args: (Value | undefined)[]): Value {
  const [attribute = null, missing = null, caseSensitive = false] = args;
  const getter = attributeGetter(attribute, missing);
  const fold = caseFolding(caseSensitive);
  const groups: { key: Value; items: Value[] }[] = [];
  for (const item of sorted(listItems(value), (each) => fold(getter(each)), false)) {
    const key = fold(getter(item));
    const group = groups.at(-1);
    if (group !== undefined && equal(group.key, key)) group.items.push(item);
    else groups.push({ key, items: [item] });
  }
  return groups.map(({ key, items }) => {
    const name = isTrue(caseSensitive) ? key : getter(items[0] as Value);
    return new GroupTuple([name, items]);
  });
}

function sortDictionary(value: Value, args: (Value | undefined)[]): Value {
  const [caseSensitive = false, by = "key", descending = false] = args;
  if (by !== "key" && by !== "value") {
    throw filterArgumentError('You can only sort by either "key" or "value"');
  }
  if (value instanceof Undefined) throw value.error();
  if (!(value instanceof Map)) {
    const reason = `'${typeName(value)}' object has no attribute 'items'`;
    throw new TemplateTypeError("AttributeError", reason);
  }
  const fold = caseFolding(caseSensitive);
  const pairs: Value[] = [...value].map((pair) => new Tuple(pair));
  const place = by === "key" ? 0 : 1;
  const key = (pair: Value) => fold((pair as Tuple).items[place] as Value);
  return sorted(pairs, key, isTrue(descending));
}

function sort(value: Value, args: (Value | undefined)[]): Value {
  const [descending = false, caseSensitive = false, attribute = null] = args;
  const key = attributesGetter(attribute, caseFolding(caseSensitive));
  return sorted(listItems(value), key, isTrue(descending));
}

export const sequenceFilters: ReadonlyMap<string, Filter> = new Map<string, Filter>([
  ["count", filter("len", [], 0, (value) => lengthOf(value))],
  ["length", filter("len", [], 0, (value) => lengthOf(value))],
  ["dictsort", filter("dictsort", ["case_sensitive", "by", "reverse"], 0, sortDictionary)],
  ["first", filter("first", [], 0, first)],
  ["groupby", filter("groupby", ["attribute", "default", "case_sensitive"], 1, groupBy)],
  [
    "join",
    filter("join", ["d", "attribute"], 0, (value, [separator = "", attribute = null], env) =>
      join(value, separator, attribute, env),
    ),
  ],
  ["last", filter("last", [], 0, last)],
  ["list", filter("list", [], 0, (value) => [...listItems(value)])],
  ["max", extreme("max")],
  ["min", extreme("min")],
  ["reverse", filter("reverse", [], 0, reverse)],
  ["sort", filter("sort", ["reverse", "case_sensitive", "attribute"], 0, sort)],
  [
    "sum",
    filter("sum", ["attribute", "start"], 0, (value, [attribute = null, start = 0], env) =>
      sum(value, attribute, start, env),
    ),
  ],
]);
