/**
 * Attributes and items of values as Jinja's immutable sandbox gives them: `value.name` tries the
 * attribute first, `value[key]` the item; neither raises for what is missing, both give Undefined.
 *
 * Contract   attributes that Python has and the sandbox refuses (private ones, methods that change
 *            a list or dict) are an Undefined that raises SecurityError when used.
 */
import { JsonFloat } from "../json/values.ts";
import { type FieldLookup, formatBraces } from "./brace-format.ts";
import { PythonRange } from "./containers.ts";
import { dictionaryMethods, dictionaryMutators } from "./dictionary-methods.ts";
import { findKey } from "./equality.ts";
import { typeError } from "./errors.ts";
import { indexNumber, Slice, sliceIndices } from "./indexing.ts";
import { numberAttribute } from "./number-attributes.ts";
import { print, represent } from "./printing.ts";
import { listMethods, listMutators, rangeMethods, tupleMethods } from "./sequence-methods.ts";
import { specialNames } from "./special-names.ts";
import { type StringMethod, stringMethods } from "./string-methods.ts";
import { characterAt, characters, isBasic, sliceText } from "./text.ts";
import {
  type Dictionary,
  PythonFunction,
  Tuple,
  typeName,
  Undefined,
  type Value,
} from "./values.ts";

/** The methods of str, with those that need lookups themselves. */
export const textMethods: ReadonlyMap<string, StringMethod> = new Map<string, StringMethod>([
  ...stringMethods,
  ["format", (text, args, keywords) => formatBraces(fieldLookup, text, args, keywords)],
  [
    "format_map",
    (text, args, keywords) => {
      const [mapping] = args;
      if (keywords.size > 0) throw typeError("format_map() takes no keyword arguments");
      if (args.length !== 1) {
        throw typeError(`format_map() takes exactly one argument (${args.length} given)`);
      }
      const named = new Map<string, Value>();
      if (mapping instanceof Map) {
        for (const [key, value] of mapping) if (typeof key === "string") named.set(key, value);
      }
      return formatBraces(fieldLookup, text, [], named);
    },
  ],
]);

const fieldLookup: FieldLookup = { getAttribute, getItem };

/** value.name */
export function getAttribute(value: Value, name: string): Value {
  if (value instanceof Map && !dictionaryNames.has(name) && !name.startsWith("_")) {
    const item = value.get(name);
    return item === undefined ? missingAttribute(value, name) : item;
  }
  const attribute = attributeOf(value, name);
  if (attribute !== undefined) return attribute;
  const item = itemOf(value, name);
  return item === undefined ? missingAttribute(value, name) : item;
}

/** value[key] */
export function getItem(value: Value, key: Value): Value {
  const item = itemOf(value, key);
  if (item !== undefined) return item;
  if (typeof key !== "string") return missingItem(value, key);
  const attribute = attributeOf(value, key);
  return attribute === undefined ? missingAttribute(value, key) : attribute;
}

/** value[start:stop:step], which unlike other keys raises for values that have no slices. */
export function getSlice(value: Value, slice: Slice): Value {
  const part = sliceOf(value, slice);
  if (part !== undefined) return part;
  if (value instanceof Map) throw typeError("unhashable type: 'slice'");
  throw typeError(`'${typeName(value)}' object is not subscriptable`);
}

const dictionaryNames: ReadonlySet<string> = new Set([
  ...dictionaryMethods.keys(),
  ...dictionaryMutators,
]);

/** What getattr finds, wrapped when the sandbox refuses it; undefined for AttributeError. */
export function attributeOf(value: Value, name: string): Value | undefined {
  if (name.startsWith("_") && specialNames.has(name)) return refused(value, name);
  if (typeof value === "string") return bind(textMethods.get(name), value, name);
  if (Array.isArray(value)) {
    if (listMutators.has(name)) return refused(value, name);
    return bind(listMethods.get(name), value, name);
  }
  if (value instanceof Map) {
    if (dictionaryMutators.has(name)) return refused(value, name);
    return bind(dictionaryMethods.get(name), value, name);
  }
  if (value instanceof PythonRange && rangeMethods.has(name)) {
    return bind(rangeMethods.get(name), value, name);
  }
  if (value instanceof Tuple && tupleMethods.has(name)) {
    return bind(tupleMethods.get(name), value, name);
  }
  if (value === null) return undefined;
  if (typeof value !== "object" || value instanceof JsonFloat) return numberAttribute(value, name);
  return value.attribute(name);
}

type Method<Self> = (self: Self, args: Value[], keywords: ReadonlyMap<string, Value>) => Value;

function bind<Self>(method: Method<Self> | undefined, self: Self, name: string): Value | undefined {
  if (method === undefined) return undefined;
  return new PythonFunction(name, (args, keywords) => method(self, args, keywords));
}

/** What value[key] finds; undefined for TypeError and LookupError. */
function itemOf(value: Value, key: Value): Value | undefined {
  if (value instanceof Map) return dictionaryItem(value, key);
  if (key instanceof Slice) return sliceOf(value, key);
  if (value !== null && typeof value === "object" && !Array.isArray(value)) {
    if (value instanceof JsonFloat) return undefined;
    if (!(value instanceof Tuple || value instanceof PythonRange)) return value.item(key);
  }
  const index = indexNumber(key);
  if (index === undefined) return undefined;
  if (typeof value === "string") return characterAt(value, index);
  if (Array.isArray(value)) return value.at(index);
  if (value instanceof Tuple) return value.items.at(index);
  if (!(value instanceof PythonRange)) return undefined;
  const place = index < 0 ? value.count + index : index;
  return place >= 0 && place < value.count ? value.at(place) : undefined;
}

function dictionaryItem(value: Dictionary, key: Value): Value | undefined {
  if (typeof key === "string") return value.get(key);
  if (key instanceof Map || Array.isArray(key) || key instanceof Slice) return undefined;
  const found = findKey(value, key);
  return found === undefined ? undefined : value.get(found);
}

function sliceOf(value: Value, slice: Slice): Value | undefined {
  if (typeof value === "string") {
    const length = isBasic(value) ? value.length : characters(value).length;
    return sliceText(value, sliceIndices(slice, length));
  }
  const pick = (items: readonly Value[]) =>
    sliceIndices(slice, items.length).map((index) => items[index] as Value);
  if (Array.isArray(value)) return pick(value);
  if (value instanceof Tuple) return new Tuple(pick(value.items));
  if (value instanceof PythonRange) {
    const indices = sliceIndices(slice, value.count);
    const first = value.at(indices[0] ?? 0);
    const step = value.step * ((indices[1] ?? 1) - (indices[0] ?? 0));
    return new PythonRange(first, first + step * indices.length, step);
  }
  if (value instanceof Undefined) throw value.error();
  return undefined;
}

function refused(value: Value, name: string): Undefined {
  return new Undefined(
    () => `access to attribute '${name}' of '${typeName(value)}' object is unsafe.`,
    "SecurityError",
  );
}

export function missingAttribute(value: Value, name: string): Undefined {
  return new Undefined(() => `'${describe(value)}' has no attribute ${represent(name)}`);
}

function missingItem(value: Value, key: Value): Undefined {
  return new Undefined(() => `${describe(value)} has no element ${represent(key)}`);
}

function describe(value: Value): string {
  return value === null ? print(value) : `${typeName(value)} object`;
}
