/**
 * A client's request body as a JSON object.
 *
 * Contract   an empty body is an empty object; a byte order mark is none of the text.
 * Reports    InvalidRequestError with what is wrong and where.
 */
import { errorText, InvalidRequestError } from "../errors.ts";
import { findKnownItems, type KnownItems } from "./known-items.ts";
import { JsonSyntaxError, type MemberSpan, parseJson } from "./lossless.ts";
import type { JsonObject, JsonValue } from "./values.ts";

const utf8 = new TextDecoder("utf-8", { fatal: true });
/** For what is not the beginning of a document: a byte order mark there is a character. */
const utf8Rest = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** @param bytesMax of a body that is accepted */
export function requestText(body: Uint8Array, bytesMax: number): string {
  requireSize(body, bytesMax);
  return decoded(body, utf8);
}

export function requestObject(text: string, members?: MemberSpan[]): JsonObject {
  let value: JsonValue;
  try {
    value = text === "" ? new Map() : parseJson(text, members === undefined ? {} : { members });
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error;
    throw new InvalidRequestError(`invalid JSON body: ${errorText(error)}`, { cause: error });
  }
  if (value instanceof Map) return value;
  throw new InvalidRequestError(`request body must be a JSON object, got ${describeKind(value)}`);
}

/** A request body that was read, and where its members stand. */
export interface RequestDocument {
  readonly object: JsonObject;
  /** The body's text without the known items that it repeats; the array's brackets stay. */
  readonly text: string;
  readonly members: readonly MemberSpan[];
}

/**
 * Reads a body of which an array probably starts with known items: only the rest is decoded and
 * parsed.
 */
export function readRequestDocument(
  body: Uint8Array,
  bytesMax: number,
  known: KnownItems,
): RequestDocument {
  requireSize(body, bytesMax);
  const continued = readContinued(body, known);
  if (continued !== null) return continued;
  known.matchedSegments = 0;
  const members: MemberSpan[] = [];
  const text = decoded(body, utf8);
  return { object: requestObject(text, members), text, members };
}

/** Null where the whole document must be read: to understand it, or to say what is wrong in it. */
function readContinued(body: Uint8Array, known: KnownItems): RequestDocument | null {
  const place = findKnownItems(body, known);
  if (place === null) return null;
  const { start, end, segmentCount } = place;
  const { member } = known;
  const items = known.items.slice(0, known.segments[segmentCount - 1]?.itemCount);
  const members: MemberSpan[] = [];
  try {
    const head = decoded(body.subarray(0, start + 1), utf8);
    const text = head + decoded(body.subarray(end), utf8Rest);
    const cut = { member, index: head.length - 1, items, isTaken: false };
    const object = parseJson(text, { members, cut });
    if (!cut.isTaken || !(object instanceof Map)) return null;
    known.matchedSegments = segmentCount;
    return { object, text, members };
  } catch (error) {
    if (error instanceof JsonSyntaxError || error instanceof InvalidRequestError) return null;
    throw error;
  }
}

function requireSize(body: Uint8Array, bytesMax: number): void {
  if (body.length <= bytesMax) return;
  throw new InvalidRequestError(
    `request body of ${body.length} bytes is too large: at most ${bytesMax} are accepted`,
  );
}

function decoded(bytes: Uint8Array, decoder: TextDecoder): string {
  try {
    return decoder.decode(bytes);
  } catch (error) {
    throw new InvalidRequestError("invalid JSON body: not UTF-8", { cause: error });
  }
}

/** What a value is, for sentences: "a list". */
export function describeKind(value: JsonValue): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "a list";
  if (typeof value === "string") return "a string";
  if (typeof value === "boolean") return "a boolean";
  return value instanceof Map ? "an object" : "a number";
}
