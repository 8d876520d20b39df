/**
 * JSON text that UTF-8 can say.
 *
 * A model may write the escape of half a surrogate pair in a string. As a character it would leave
 * as U+FFFD, and would not be recognised when it comes back; as the escape it stays what it is.
 *
 * Contract   as writeJson(), with lone surrogates as escapes.
 */
import { writeJson } from "./lossless.ts";
import type { JsonValue } from "./values.ts";

export function wellFormedJson(value: JsonValue): string {
  const text = writeJson(value);
  if (text.isWellFormed()) return text;
  // In JSON, such a character can only stand in a string.
  return text.replace(/\p{Surrogate}/gu, (half) => `\\u${half.charCodeAt(0).toString(16)}`);
}
