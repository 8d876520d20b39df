/**
 * Comparison of Python values: ==, <, `in`, and keys of a dict.
 *
 * Contract   raises what Python raises: TypeError for values that have no order or no hash, and the
 *            error of an Undefined that is ordered.
 */
import { compareCodePoints } from "../json/python-json.ts";
import { compareNumbers, isPythonNumber, numbersEqual } from "../json/python-number.ts";
import { JsonFloat } from "../json/values.ts";
import { DictionaryView } from "./containers.ts";
import { typeError } from "./errors.ts";
import { Markup, unsupportedMarkup } from "./markup.ts";
import { type Dictionary, PythonObject, Tuple, typeName, Undefined, type Value } from "./values.ts";

/** left == right */
export function equal(left: Value, right: Value): boolean {
  if (left === right) return !(left instanceof JsonFloat && Number.isNaN(left.value));
  if (typeof left === "string") return right instanceof Markup && right.text === left;
  if (left === null) return false;
  if (isPythonNumber(left)) return isPythonNumber(right) && numbersEqual(left, right);
  if (Array.isArray(left)) {
    if (!Array.isArray(right) || left.length !== right.length) return false;
    return left.every((item, index) => sameItem(item, right[index] as Value));
  }
  if (left instanceof Map) return right instanceof Map && equalDictionaries(left, right);
  return left.equals(right, sameItem);
}

/** What containers ask of their items: identity first, so that NaN is found where it stands. */
export function sameItem(left: Value, right: Value): boolean {
  return left === right || equal(left, right);
}

function equalDictionaries(left: Dictionary, right: Dictionary): boolean {
  if (left.size !== right.size) return false;
  for (const [key, item] of left) {
    const found = findKey(right, key);
    if (found === undefined || !sameItem(item, right.get(found) as Value)) return false;
  }
  return true;
}

export type Order = "<" | "<=" | ">" | ">=";

/** left < right and its like */
export function ordered(order: Order, left: Value, right: Value): boolean {
  const comparison = compare(order, left, right);
  switch (order) {
    case "<":
      return comparison < 0;
    case "<=":
      return comparison <= 0;
    case ">":
      return comparison > 0;
    case ">=":
      return comparison >= 0;
  }
}

/** NaN where either is NaN: no order holds. */
function compare(order: Order, left: Value, right: Value): number {
  if (typeof left === "string" && typeof right === "string") return compareCodePoints(left, right);
  if (isPythonNumber(left) && isPythonNumber(right)) return compareNumbers(left, right);
  if (Array.isArray(left) && Array.isArray(right)) return compareItems(order, left, right);
  if (left instanceof Tuple && right instanceof Tuple) {
    return compareItems(order, left.items, right.items);
  }
  if (left instanceof Undefined) throw left.error();
  if (right instanceof Undefined) throw right.error();
  if (left instanceof Markup || right instanceof Markup) throw unsupportedMarkup(order);
  throw typeError(
    `'${order}' not supported between instances of ` +
      `'${typeName(left)}' and '${typeName(right)}'`,
  );
}

function compareItems(order: Order, left: readonly Value[], right: readonly Value[]): number {
  const length = Math.min(left.length, right.length);
  for (let index = 0; index < length; index += 1) {
    const a = left[index] as Value;
    const b = right[index] as Value;
    if (!sameItem(a, b)) return compare(order, a, b);
  }
  return left.length - right.length;
}

/** sorted(items, key=..., reverse=...): stable in both directions. */
export function sorted(items: readonly Value[], key: (item: Value) => Value, reverse: boolean) {
  const keyed = items.map((item) => ({ item, key: key(item) }));
  const sign = reverse ? -1 : 1;
  keyed.sort((a, b) => {
    if (ordered("<", a.key, b.key)) return -sign;
    return ordered("<", b.key, a.key) ? sign : 0;
  });
  return keyed.map((entry) => entry.item);
}

/** element in container */
export function contains(container: Value, element: Value): boolean {
  if (typeof container === "string") {
    if (typeof element === "string") return container.includes(element);
    if (element instanceof Markup) return container.includes(element.text);
    throw typeError(`'in <string>' requires string as left operand, not ${typeName(element)}`);
  }
  if (Array.isArray(container)) return container.some((item) => sameItem(item, element));
  if (container instanceof Map) return findKey(container, element) !== undefined;
  if (container instanceof DictionaryView && container.kind === "keys") {
    return findKey(container.dictionary, element) !== undefined;
  }
  const iterator = container instanceof PythonObject ? container.iterator() : undefined;
  if (iterator === undefined) {
    throw typeError(`argument of type '${typeName(container)}' is not iterable`);
  }
  for (let step = iterator.next(); step.done !== true; step = iterator.next()) {
    if (sameItem(step.value, element)) return true;
  }
  return false;
}

/**
 * The key of the dict that equals `key`, or undefined. A Map tells 1, 1.0 and True apart, a dict
 * does not; strings, which nearly all keys are, equal nothing but themselves.
 */
export function findKey(dictionary: ReadonlyMap<Value, Value>, key: Value): Value | undefined {
  if (key instanceof Markup) return findKey(dictionary, key.text);
  if (dictionary.has(key)) return key;
  if (typeof key === "string" || key === null) return undefined;
  checkHashable(key);
  for (const candidate of dictionary.keys()) {
    if (typeof candidate !== "string" && equal(candidate, key)) return candidate;
  }
  return undefined;
}

/** dictionary[key] = value */
export function setKey(dictionary: Dictionary, key: Value, value: Value): void {
  dictionary.set(findKey(dictionary, key) ?? key, value);
}

export function checkHashable(key: Value): void {
  if (Array.isArray(key) || key instanceof Map) {
    throw typeError(`unhashable type: '${typeName(key)}'`);
  }
  if (key instanceof Tuple) for (const item of key.items) checkHashable(item);
}
