/**
 * The values a template works with: what Python's types are here.
 *
 * Contract   None, bool, str, int, float, list and dict are null, boolean, string, number or
 *            bigint, JsonFloat, Array and Map; everything else extends `PythonObject` and tells the
 *            operations what it can do. JavaScript's undefined is never a value.
 * Not here   operations: each has a file of its own (equality, lookup, printing, ...).
 */
import { JsonFloat } from "../json/values.ts";
import { TemplateError, type TemplateFailure } from "./errors.ts";

export type Value =
  | null
  | boolean
  | string
  | number
  | bigint
  | JsonFloat
  | Value[]
  | Dictionary
  | PythonObject;

/** A dict; keys of equal value are one key, see `findKey` in equality.ts. */
export type Dictionary = Map<Value, Value>;

export type Keywords = ReadonlyMap<string, Value>;
export const noKeywords: Keywords = new Map();
export const noArguments: Value[] = [];

/** Writes a nested value; handed to `represent` so that classes need not know the printer. */
export type Represent = (value: Value) => string;

/** A value of a type that JSON does not have; the defaults are those of Python's object. */
export abstract class PythonObject {
  /** type(value).__name__ */
  abstract readonly typeName: string;

  abstract represent(represent: Represent): string;

  /** str(value) */
  print(represent: Represent): string {
    return this.represent(represent);
  }

  isTrue(): boolean {
    return this.length() !== 0;
  }

  /** len(value); undefined when the type has no length. */
  length(): number | undefined {
    return undefined;
  }

  /** iter(value); undefined when the type is not iterable. */
  iterator(): Iterator<Value> | undefined {
    return undefined;
  }

  /** getattr(value, name); undefined where Python raises AttributeError. */
  attribute(_name: string): Value | undefined {
    return undefined;
  }

  /** value[key]; undefined where Python raises TypeError or LookupError. */
  item(_key: Value): Value | undefined {
    return undefined;
  }

  /** value == other, when the type compares by content. */
  equals(other: Value, _equal: (left: Value, right: Value) => boolean): boolean {
    return this === other;
  }

  /** The function behind value(...), when the type is callable. */
  get callable(): PythonCall | undefined {
    return undefined;
  }
}

export type PythonCall = (args: Value[], keywords: Keywords) => Value;

export class Tuple extends PythonObject {
  readonly typeName = "tuple";
  readonly items: Value[];

  constructor(items: Value[]) {
    super();
    this.items = items;
  }

  represent(represent: Represent): string {
    const comma = this.items.length === 1 ? "," : "";
    return `(${this.items.map(represent).join(", ")}${comma})`;
  }

  override length(): number {
    return this.items.length;
  }

  override iterator(): Iterator<Value> {
    return this.items.values();
  }

  override equals(other: Value, equal: (left: Value, right: Value) => boolean): boolean {
    return other instanceof Tuple && sameItems(this.items, other.items, equal);
  }
}

function sameItems(
  left: readonly Value[],
  right: readonly Value[],
  equal: (left: Value, right: Value) => boolean,
): boolean {
  return (
    left.length === right.length && left.every((item, index) => equal(item, right[index] as Value))
  );
}

/** jinja2.Undefined: prints as nothing, is false, and raises on any other use. */
export class Undefined extends PythonObject {
  readonly typeName = "Undefined";
  readonly #reason: string | (() => string);
  readonly #errorClass: "UndefinedError" | "SecurityError";

  constructor(
    reason: string | (() => string),
    errorClass: "UndefinedError" | "SecurityError" = "UndefinedError",
  ) {
    super();
    this.#reason = reason;
    this.#errorClass = errorClass;
  }

  /** What an operation on this value raises. */
  error(): TemplateFailure {
    const reason = typeof this.#reason === "string" ? this.#reason : this.#reason();
    return new TemplateError(this.#errorClass, reason);
  }

  represent(): string {
    return "Undefined";
  }

  override print(): string {
    return "";
  }

  override length(): number {
    return 0;
  }

  override iterator(): Iterator<Value> {
    return noArguments.values();
  }

  override attribute(name: string): Value | undefined {
    if (name.startsWith("__") && name.endsWith("__")) return undefined;
    throw this.error();
  }

  override item(_key: Value): Value {
    throw this.error();
  }

  override equals(other: Value): boolean {
    return other instanceof Undefined;
  }

  override get callable(): PythonCall {
    throw this.error();
  }
}

/** A function or method that a template can call. */
export class PythonFunction extends PythonObject {
  readonly typeName: string;
  readonly name: string;
  readonly call: PythonCall;

  constructor(name: string, call: PythonCall, typeName = "builtin_function_or_method") {
    super();
    this.name = name;
    this.call = call;
    this.typeName = typeName;
  }

  represent(): string {
    return `<function ${this.name}>`;
  }

  override get callable(): PythonCall {
    return this.call;
  }
}

/** The target of `{% set ns.name = ... %}`. */
export class Namespace extends PythonObject {
  readonly typeName = "TemplateNamespace";
  readonly #attributes: Map<string, Value>;

  constructor(attributes: Map<string, Value>) {
    super();
    this.#attributes = attributes;
    for (const name of attributes.keys()) checkNamespaceName(name);
  }

  represent(represent: Represent): string {
    return `<Namespace ${represent(this.#attributes as Dictionary)}>`;
  }

  override attribute(name: string): Value | undefined {
    return this.#attributes.get(name);
  }

  assign(name: string, value: Value): void {
    checkNamespaceName(name);
    this.#attributes.set(name, value);
  }
}

function checkNamespaceName(name: string): void {
  if (!name.startsWith("_")) return;
  throw new TemplateError(
    "SecurityError",
    "Chat templates cannot store underscore-prefixed attributes on a namespace, " +
      `but got '${name}'. Please rename the attribute.`,
  );
}

/** type(value).__name__ */
export function typeName(value: Value): string {
  switch (typeof value) {
    case "string":
      return "str";
    case "boolean":
      return "bool";
    case "number":
    case "bigint":
      return "int";
    default:
      if (value === null) return "NoneType";
      if (Array.isArray(value)) return "list";
      if (value instanceof Map) return "dict";
      return value instanceof JsonFloat ? "float" : value.typeName;
  }
}

/** bool(value) */
export function isTrue(value: Value): boolean {
  switch (typeof value) {
    case "string":
      return value.length > 0;
    case "boolean":
      return value;
    case "number":
      return value !== 0;
    case "bigint":
      return true;
    default:
      if (value === null) return false;
      if (Array.isArray(value)) return value.length > 0;
      if (value instanceof Map) return value.size > 0;
      // NaN is true in Python.
      return value instanceof JsonFloat ? value.value !== 0 : value.isTrue();
  }
}
