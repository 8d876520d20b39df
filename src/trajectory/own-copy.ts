/**
 * Copies of what a session keeps.
 *
 * Contract   a copy shares no memory with the request or reply that it was taken from: a slice of a
 *            text keeps the whole text alive, and so does a parsed value whose strings are slices.
 */
import { parseJson, writeJson } from "../json/lossless.ts";
import type { JsonObject, JsonValue } from "../json/values.ts";

export function ownText(text: string): string {
  return Buffer.from(text).toString();
}

/** Its strings are slices of a text that is written here and no longer than the value. */
export function ownValue(value: JsonValue): JsonValue {
  return parseJson(writeJson(value));
}

export function ownMessage(message: JsonObject): JsonObject {
  return ownValue(message) as JsonObject;
}
