/**
 * Iterating over Python values: what for loops, filters and unpacking have in common.
 */
import { templateListItemsMax } from "../limits.ts";
import { boundExceeded, typeError, valueError } from "./errors.ts";
import { characters } from "./text.ts";
import { PythonObject, Tuple, typeName, type Value } from "./values.ts";

/** iter(value) */
export function iterate(value: Value): Iterator<Value> {
  return sizedItems(value)?.values() ?? openIterator(value);
}

/** The items of a value that has them all at hand; undefined for iterators and the like. */
export function sizedItems(value: Value): Value[] | undefined {
  if (Array.isArray(value)) return value;
  if (typeof value === "string") return characters(value);
  if (value instanceof Map) return [...value.keys()];
  return value instanceof Tuple ? value.items : undefined;
}

function openIterator(value: Value): Iterator<Value> {
  const iterator = value instanceof PythonObject ? value.iterator() : undefined;
  if (iterator === undefined) throw typeError(`'${typeName(value)}' object is not iterable`);
  return iterator;
}

/** list(value), not to be changed: it may be the value itself. */
export function listItems(value: Value): readonly Value[] {
  const sized = sizedItems(value);
  if (sized !== undefined) return sized;
  const items: Value[] = [];
  const iterator = openIterator(value);
  for (let step = iterator.next(); step.done !== true; step = iterator.next()) {
    items.push(step.value);
    if (items.length > templateListItemsMax) throw boundExceeded("length of a list");
  }
  return items;
}

/** len(value) */
export function lengthOf(value: Value): number {
  const length = optionalLength(value);
  if (length === undefined) throw typeError(`object of type '${typeName(value)}' has no len()`);
  return length;
}

export function optionalLength(value: Value): number | undefined {
  if (value instanceof PythonObject) return value.length();
  return sizedItems(value)?.length;
}

/** The values of `a, b = value`. */
export function unpack(value: Value, count: number): readonly Value[] {
  if (!isIterable(value)) {
    throw typeError(`cannot unpack non-iterable ${typeName(value)} object`);
  }
  const sized = sizedItems(value);
  if (sized === undefined) return unpackIterator(iterate(value), count);
  if (sized.length === count) return sized;
  if (sized.length > count) throw valueError(`too many values to unpack (expected ${count})`);
  throw tooFew(count, sized.length);
}

function unpackIterator(iterator: Iterator<Value>, count: number): readonly Value[] {
  const items: Value[] = [];
  for (let step = iterator.next(); step.done !== true; step = iterator.next()) {
    if (items.length === count) {
      throw valueError(`too many values to unpack (expected ${count})`);
    }
    items.push(step.value);
  }
  if (items.length < count) throw tooFew(count, items.length);
  return items;
}

function tooFew(expected: number, got: number) {
  return valueError(`not enough values to unpack (expected ${expected}, got ${got})`);
}

export function isIterable(value: Value): boolean {
  if (value instanceof PythonObject) return value.iterator() !== undefined;
  return sizedItems(value) !== undefined;
}
