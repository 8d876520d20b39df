// spec: Kimi K2.5's tool_declaration_ts.py
/**
 * JSON schemas of tool parameters to the types that declare them.
 *
 * Contract   only what the original expresses; the rest is NotDeclarable, where it raises. A schema
 *            is at most as deep as limits.ts allows JSON to be.
 */

import { isTruthy } from "../../json/python-truth.ts";
import type { JsonObject, JsonValue } from "../../json/values.ts";
import {
  AnyOfType,
  ArrayType,
  EnumType,
  NotDeclarable,
  ObjectType,
  PlainType,
  type SchemaType,
  UnionType,
} from "./schema-types.ts";

/** Reads the schemas of one function; `$defs` that it meets are known from there on. */
export class SchemaReader {
  readonly definitions = new Map<string, JsonValue>();
  #refersToRoot = false;

  /** Whether a `$ref` to the whole schema was read. */
  get refersToRoot(): boolean {
    return this.#refersToRoot;
  }

  read(schema: JsonValue): SchemaType {
    if (typeof schema === "boolean") return new PlainType(schema ? "any" : "null", new Map());
    if (!(schema instanceof Map)) throw new NotDeclarable();
    if (schema.has("$ref")) return this.#readReference(schema);
    if (schema.has("anyOf")) {
      const options = listItems(schema.get("anyOf")).map((option) => this.read(option));
      return new AnyOfType(schema, options);
    }
    if (schema.has("enum")) return new EnumType(schema, listItems(schema.get("enum")));
    if (schema.has("type")) return this.#readTyped(schema, schema.get("type") ?? null);
    if (schema.size === 0) return new PlainType("any", schema);
    throw new NotDeclarable();
  }

  readObject(schema: JsonValue): ObjectType {
    if (!(schema instanceof Map)) throw new NotDeclarable();
    this.#learn(schema.get("$defs") ?? null);
    const rest = schema.get("additionalProperties") ?? null;
    const restType = rest instanceof Map ? this.read(rest) : null;
    if (!schema.has("properties")) return new ObjectType(schema, [], rest, restType);
    const properties = schema.get("properties");
    if (!(properties instanceof Map)) throw new NotDeclarable();
    const required = new Set(schema.has("required") ? setItems(schema.get("required")) : []);
    const members = Array.from(properties, ([name, property]) => ({
      name,
      type: this.read(property),
      isOptional: !required.has(name),
      standard: property instanceof Map ? (property.get("default") ?? null) : null,
    }));
    return new ObjectType(schema, members, rest, restType);
  }

  #readTyped(schema: JsonObject, type: JsonValue): SchemaType {
    if (Array.isArray(type)) return new UnionType(schema, type);
    if (type === "object") return this.readObject(schema);
    if (type !== "array") return new PlainType(type, schema);
    const items = schema.get("items");
    return new ArrayType(
      schema,
      isTruthy(items) ? this.read(items ?? null) : new PlainType("any", new Map()),
    );
  }

  #readReference(schema: JsonObject): SchemaType {
    const reference = schema.get("$ref");
    if (reference === "#") {
      this.#refersToRoot = true;
      return new PlainType("parameters", schema, []);
    }
    if (typeof reference !== "string" || !reference.startsWith("#/$defs/")) {
      throw new NotDeclarable();
    }
    const name = reference.slice(reference.lastIndexOf("/") + 1);
    const definition = this.definitions.get(name);
    if (!(definition instanceof Map)) throw new NotDeclarable();
    const isRoot = isTruthy(definition.get("$self_ref"));
    return new PlainType(isRoot ? "parameters" : name, schema, []);
  }

  #learn(definitions: JsonValue): void {
    if (!isTruthy(definitions)) return;
    if (!(definitions instanceof Map)) throw new NotDeclarable();
    for (const [name, schema] of definitions) this.definitions.set(name, schema);
  }
}

/** What Python iterates over: items, characters or keys. */
function listItems(value: JsonValue | undefined): readonly JsonValue[] {
  if (Array.isArray(value)) return value;
  if (typeof value === "string") return [...value];
  if (value instanceof Map) return [...value.keys()];
  throw new NotDeclarable();
}

/** The same, for what becomes a set: lists and objects cannot be in one. */
function setItems(value: JsonValue | undefined): readonly JsonValue[] {
  const items = listItems(value);
  if (items.some((item) => Array.isArray(item) || item instanceof Map)) throw new NotDeclarable();
  return items;
}
