/**
 * Arguments of a tool call that every client can read: one rule for what is sent out and for what
 * is recognised when it comes back.
 *
 * A model may write anything; clients of the protocols that have arguments as an object expect one.
 *
 * Contract   the JSON text of an object, as the model wrote it where that is one. Null for text
 *            that is no JSON object, and for an object with NaN, an infinity or a number beyond the
 *            range of doubles, which have no spelling that all JSON parsers take.
 */
import { parseJson } from "./lossless.ts";
import type { JsonValue } from "./values.ts";
import { wellFormedJson } from "./well-formed-json.ts";

export function readableArguments(value: JsonValue): string | null {
  if (value instanceof Map) return readableObject(wellFormedJson(value));
  return typeof value === "string" ? readableObject(value) : null;
}

function readableObject(text: string): string | null {
  try {
    const read = parseJson(text);
    // What the lossless parser takes is more than JSON: Python's NaN and infinities.
    JSON.parse(wellFormedJson(read));
    return read instanceof Map ? text : null;
  } catch {
    return null;
  }
}
