// spec: Kimi K2.5's tool_declaration_ts.py
/**
 * The types that a schema of tool parameters can have, and how each is written in TypeScript.
 *
 * Contract   values are printed as Python prints them. What cannot be written is NotDeclarable.
 */
import { print, represent } from "../../chat-template/printing.ts";
import { compareCodePoints, pythonJson } from "../../json/python-json.ts";
import { isTruthy } from "../../json/python-truth.ts";
import { JsonFloat, type JsonObject, type JsonValue } from "../../json/values.ts";

/** A schema that has no declaration: what the original raises an exception for. */
export class NotDeclarable extends Error {
  override readonly name = "NotDeclarable";
}

/** A written type. Python's f-strings print anything, but join only takes texts. */
interface Written {
  readonly text: string;
  readonly isText: boolean;
}

export interface SchemaType {
  /** Comment lines before a member of this type, each with a line feed. */
  comment(indent: string): string;
  write(indent: string): Written;
}

const indentStep = "  ";

/** The names that JSON schema types have in a union. */
const unionNames: ReadonlyMap<JsonValue, string> = new Map([
  ["string", "string"],
  ["number", "number"],
  ["integer", "number"],
  ["boolean", "boolean"],
  ["null", "null"],
  ["object", "{}"],
  ["array", "Array<any>"],
]);

/** Comment lines for a description; empty lines stay empty. */
export function describe(description: JsonValue, indent: string): string {
  if (typeof description !== "string") throw new NotDeclarable();
  const lines = description.split("\n").map((line) => (line === "" ? "" : `${indent}// ${line}`));
  return lines.join("\n");
}

function writeComment(schema: JsonObject, constraints: readonly string[], indent: string): string {
  const description = schema.get("description") ?? null;
  const given = constraints
    .filter((name) => schema.has(name))
    .map((name) => `${name}: ${print(schema.get(name) ?? null)}`);
  const lines = [
    ...(isTruthy(description) ? [describe(description, indent)] : []),
    ...(given.length > 0 ? [`${indent}// ${given.join(", ")}`] : []),
  ];
  return lines.map((line) => `${line}\n`).join("");
}

/** By type, the constraints that are told, in alphabetical order. */
const plainConstraints: ReadonlyMap<JsonValue, readonly string[]> = new Map([
  ["string", ["maxLength", "minLength", "pattern"]],
  ["number", ["maximum", "minimum"]],
  ["integer", ["maximum", "minimum"]],
]);

export class PlainType implements SchemaType {
  readonly #type: JsonValue;
  readonly #schema: JsonObject;
  readonly #constraints: readonly string[];

  constructor(
    type: JsonValue,
    schema: JsonObject,
    constraints: readonly string[] = plainConstraints.get(type) ?? [],
  ) {
    this.#type = type;
    this.#schema = schema;
    this.#constraints = constraints;
  }

  comment(indent: string): string {
    return writeComment(this.#schema, this.#constraints, indent);
  }

  write(): Written {
    const text = this.#type === "integer" ? "number" : print(this.#type);
    return { text, isText: typeof this.#type === "string" };
  }
}

export class EnumType implements SchemaType {
  readonly #schema: JsonObject;
  readonly #values: readonly JsonValue[];

  constructor(schema: JsonObject, values: readonly JsonValue[]) {
    this.#schema = schema;
    this.#values = values;
    if (schema.has("type")) checkEnumType(values, schema.get("type") ?? null);
  }

  comment(indent: string): string {
    return writeComment(this.#schema, [], indent);
  }

  write(): Written {
    const values = this.#values.map((value) =>
      typeof value === "string" ? `"${value}"` : print(value),
    );
    return { text: values.join(" | "), isText: true };
  }
}

function checkEnumType(values: readonly JsonValue[], declared: JsonValue): void {
  let type = declared;
  if (Array.isArray(declared)) {
    const [first = null, second = null] = declared;
    if (declared.length !== 1 && !(declared.length === 2 && declared.includes("null"))) {
      throw new NotDeclarable();
    }
    type = declared.length === 2 && first === "null" ? second : first;
  }
  const isInteger = (value: JsonValue): boolean =>
    typeof value === "number" || typeof value === "bigint" || typeof value === "boolean";
  const fits = (value: JsonValue): boolean => {
    if (value === null) return true;
    if (type === "string") return typeof value === "string";
    if (type === "number") return isInteger(value) || value instanceof JsonFloat;
    if (type === "integer") return isInteger(value);
    return type !== "boolean" || typeof value === "boolean";
  };
  if (!values.every(fits)) throw new NotDeclarable();
}

export class AnyOfType implements SchemaType {
  readonly #schema: JsonObject;
  readonly #options: readonly SchemaType[];

  constructor(schema: JsonObject, options: readonly SchemaType[]) {
    this.#schema = schema;
    this.#options = options;
  }

  comment(indent: string): string {
    return writeComment(this.#schema, [], indent);
  }

  write(indent: string): Written {
    const options = this.#options.map((option) => requireText(option.write(indent)));
    return { text: options.join(" | "), isText: true };
  }
}

export class UnionType implements SchemaType {
  readonly #schema: JsonObject;
  readonly #names: readonly string[];

  constructor(schema: JsonObject, types: readonly JsonValue[]) {
    this.#schema = schema;
    this.#names = types.map((type) => {
      const name = unionNames.get(type);
      if (name === undefined) throw new NotDeclarable();
      return name;
    });
  }

  comment(indent: string): string {
    return writeComment(this.#schema, [], indent);
  }

  write(): Written {
    return { text: this.#names.join(" | "), isText: true };
  }
}

export class ArrayType implements SchemaType {
  readonly #schema: JsonObject;
  readonly #item: SchemaType;

  constructor(schema: JsonObject, item: SchemaType) {
    this.#schema = schema;
    this.#item = item;
  }

  comment(indent: string): string {
    return writeComment(this.#schema, ["maxItems", "minItems"], indent);
  }

  write(indent: string): Written {
    const inner = indent + indentStep;
    const comment = this.#item.comment(inner);
    if (comment === "") return { text: `Array<${this.#item.write(indent).text}>`, isText: true };
    const item = requireText(this.#item.write(inner));
    return { text: `Array<\n${comment}${inner}${item}\n${indent}>`, isText: true };
  }
}

interface Member {
  readonly name: string;
  readonly type: SchemaType;
  readonly isOptional: boolean;
  /** null when there is none. */
  readonly standard: JsonValue;
}

export class ObjectType implements SchemaType {
  readonly #schema: JsonObject;
  readonly #members: readonly Member[];
  /** `additionalProperties`, and its type when it is a schema. */
  readonly #rest: JsonValue;
  readonly #restType: SchemaType | null;

  constructor(
    schema: JsonObject,
    members: readonly Member[],
    rest: JsonValue,
    restType: SchemaType | null,
  ) {
    this.#schema = schema;
    this.#members = members;
    this.#rest = rest;
    this.#restType = restType;
  }

  comment(indent: string): string {
    return writeComment(this.#schema, [], indent);
  }

  /** Required members first, each kind by name. */
  write(indent: string): Written {
    const inner = indent + indentStep;
    const sorted = [...this.#members].sort(
      (left, right) =>
        Number(left.isOptional) - Number(right.isOptional) ||
        compareCodePoints(left.name, right.name),
    );
    const lines = sorted.map((member) => writeMember(member, inner));
    if (this.#rest !== null) lines.push(`${inner}[k: string]: ${this.#writeRest(inner)}`);
    const text = lines.length === 0 ? "{}" : `{\n${lines.join(",\n")}\n${indent}}`;
    return { text, isText: true };
  }

  /** Members alone, in the order of the schema: the body of the interface of a whole schema. */
  writeUnsorted(): string {
    const lines = this.#members.map((member) => writeMember(member, indentStep));
    return lines.length === 0 ? "{}" : `{\n${lines.join(",\n")}\n}`;
  }

  #writeRest(indent: string): string {
    if (this.#restType !== null) return this.#restType.write(indent).text;
    if (typeof this.#rest !== "boolean") throw new NotDeclarable();
    return this.#rest ? "any" : "never";
  }
}

function writeMember({ name, type, isOptional, standard }: Member, indent: string): string {
  const printsAsIs = typeof standard !== "string" && !(standard instanceof Map);
  const standardText =
    printsAsIs && !Array.isArray(standard) ? represent(standard) : pythonJson(standard);
  const comment = standard === null ? "" : `${indent}// Default: ${standardText}\n`;
  const declared = `${indent}${name}${isOptional ? "?" : ""}: ${type.write(indent).text}`;
  return type.comment(indent) + comment + declared;
}

function requireText({ text, isText }: Written): string {
  if (!isText) throw new NotDeclarable();
  return text;
}
