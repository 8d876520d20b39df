/**
 * Reading and making JSON objects of a protocol.
 *
 * Contract   null and absent are one, as protocols have it.
 * Reports    InvalidRequestError that says which member is wrong, what it must be, what it is.
 */
import { InvalidRequestError } from "../errors.ts";
import { describeKind } from "../json/request-object.ts";
import type { JsonArray, JsonObject, JsonValue } from "../json/values.ts";

/** An object of the members that are there. */
export function object(members: Readonly<Record<string, JsonValue | undefined>>): JsonObject {
  const made: JsonObject = new Map();
  for (const [name, value] of Object.entries(members)) {
    if (value !== undefined) made.set(name, value);
  }
  return made;
}

/** @param where the value stands, for the sentence: "messages[0]" */
export function requireObject(value: JsonValue | undefined, where: string): JsonObject {
  if (value instanceof Map) return value;
  throw wrong(where, "an object", value);
}

export function requireList(value: JsonValue | undefined, where: string): JsonArray {
  if (Array.isArray(value)) return value;
  throw wrong(where, "a list", value);
}

export function requireText(value: JsonValue | undefined, where: string): string {
  if (typeof value === "string") return value;
  throw wrong(where, "a string", value);
}

export function wrong(
  where: string,
  expected: string,
  value: JsonValue | undefined,
): InvalidRequestError {
  const got = value === undefined ? "nothing" : describeKind(value);
  return new InvalidRequestError(`${where} must be ${expected}, got ${got}`);
}

/**
 * Text of a content that is a string or a list of text blocks: blocks are concatenated, as chat
 * templates do it.
 *
 * @param types of the blocks that are text
 */
export function textOf(value: JsonValue, where: string, types: readonly string[]): string {
  if (typeof value === "string") return value;
  return requireList(value, where)
    .map((item, index) => {
      const place = `${where}[${index}]`;
      const block = requireObject(item, place);
      const type = block.get("type") ?? null;
      if (typeof type === "string" && types.includes(type)) {
        return requireText(block.get("text"), `${place}.text`);
      }
      throw refusedType(place, type, types);
    })
    .join("");
}

/** @param types that may stand there */
export function refusedType(
  where: string,
  type: JsonValue | undefined,
  types: readonly string[],
): InvalidRequestError {
  const shown = typeof type === "string" ? JSON.stringify(type) : "not given";
  return new InvalidRequestError(
    `${where}: its type is ${shown}, and only ${types.join(", ")} can be taken here`,
  );
}
