/**
 * A client's request body as a JSON object.
 *
 * Contract   an empty body is an empty object; a byte order mark is none of the text.
 * Reports    InvalidRequestError with what is wrong and where.
 */
import { errorText, InvalidRequestError } from "../errors.ts";
import type { KnownItems } from "./known-items.ts";
import { JsonSyntaxError, type MemberSpan, parseJson } from "./lossless.ts";
import type { JsonObject, JsonValue } from "./values.ts";

const utf8 = new TextDecoder("utf-8", { fatal: true });

/** @param bytesMax of a body that is accepted */
export function requestText(body: Uint8Array, bytesMax: number): string {
  if (body.length > bytesMax) {
    throw new InvalidRequestError(
      `request body of ${body.length} bytes is too large: at most ${bytesMax} are accepted`,
    );
  }
  try {
    return utf8.decode(body);
  } catch (error) {
    throw new InvalidRequestError("invalid JSON body: not UTF-8", { cause: error });
  }
}

export function requestObject(
  text: string,
  options: { members?: MemberSpan[]; known?: KnownItems } = {},
): JsonObject {
  let value: JsonValue;
  try {
    value = text === "" ? new Map() : parseJson(text, options);
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error;
    throw new InvalidRequestError(`invalid JSON body: ${errorText(error)}`, { cause: error });
  }
  if (value instanceof Map) return value;
  throw new InvalidRequestError(`request body must be a JSON object, got ${describeKind(value)}`);
}

/** What a value is, for sentences: "a list". */
export function describeKind(value: JsonValue): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "a list";
  if (typeof value === "string") return "a string";
  if (typeof value === "boolean") return "a boolean";
  return value instanceof Map ? "an object" : "a number";
}
