/**
 * Python's json.dumps, byte for byte, for lossless JSON values.
 *
 * Contract   floats as repr writes them, NaN and infinities by name (allow_nan=True), integers
 *            exact; lone surrogates stay as they are unless `ensureAscii` escapes them.
 */
import { floatRepr } from "./python-number.ts";
import { JsonFloat, type JsonValue } from "./values.ts";

/** The arguments of json.dumps; its defaults stand where a field is absent. */
export interface PythonJsonOptions {
  /** Spaces per level, or the text of one level; null and absent mean one line. */
  readonly indent?: number | string | null;
  /** Default: ", " (with indent ",") and ": ". */
  readonly separators?: readonly [item: string, key: string] | null;
  /** By code points, as Python orders strings. */
  readonly sortKeys?: boolean;
  /** Escape everything beyond ASCII. Unlike in Python the default is false. */
  readonly ensureAscii?: boolean;
}

export function pythonJson(value: JsonValue, options: PythonJsonOptions = {}): string {
  const { indent = null, sortKeys = false, ensureAscii = false } = options;
  const level = typeof indent === "number" ? " ".repeat(indent) : indent;
  const [itemSeparator, keySeparator] = options.separators ?? [level === null ? ", " : ",", ": "];
  const quote = ensureAscii ? asciiJsonString : jsonString;

  const write = (item: JsonValue, newline: string | null): string => {
    if (typeof item === "string") return quote(item);
    if (item === null || typeof item !== "object") return String(item);
    if (item instanceof JsonFloat) return jsonFloat(item);
    const inner = newline === null || level === null ? null : newline + level;
    const separator = inner === null ? itemSeparator : itemSeparator + inner;
    const parts: string[] = [];
    if (Array.isArray(item)) {
      if (item.length === 0) return "[]";
      for (const element of item) parts.push(write(element, inner));
      return `[${inner ?? ""}${parts.join(separator)}${newline ?? ""}]`;
    }
    if (item.size === 0) return "{}";
    const members = sortKeys ? [...item].sort(([a], [b]) => compareCodePoints(a, b)) : item;
    for (const [name, member] of members) {
      parts.push(quote(name) + keySeparator + write(member, inner));
    }
    return `{${inner ?? ""}${parts.join(separator)}${newline ?? ""}}`;
  };

  return write(value, level === null ? null : "\n");
}

/** A float as json.dumps writes it: like repr, but for the names of what JSON does not have. */
export function jsonFloat(float: JsonFloat): string {
  if (Number.isFinite(float.value)) return floatRepr(float.value);
  if (Number.isNaN(float.value)) return "NaN";
  return float.value > 0 ? "Infinity" : "-Infinity";
}

/** A string literal with ensure_ascii=False. */
export function jsonString(text: string): string {
  const literal = JSON.stringify(text);
  if (text.isWellFormed()) return literal;
  // JSON.stringify escapes lone surrogates, Python keeps them. Only an escape with an even number
  // of backslashes before it is one that JSON.stringify made.
  return literal.replace(/\\(?:u(d[89a-f][0-9a-f]{2})|.)/g, (written, surrogate?: string) =>
    surrogate === undefined ? written : String.fromCharCode(Number.parseInt(surrogate, 16)),
  );
}

/** A string literal with ensure_ascii=True. */
export function asciiJsonString(text: string): string {
  return JSON.stringify(text).replace(
    /[\u007f-\uffff]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

/** Orders strings by code point like Python; UTF-16 order differs beyond the basic plane. */
export function compareCodePoints(left: string, right: string): number {
  const length = Math.min(left.length, right.length);
  for (let index = 0; index < length; index += 1) {
    const a = left.charCodeAt(index);
    const b = right.charCodeAt(index);
    if (a === b) continue;
    // A surrogate stands for a code point above every other unit, unless it stands alone.
    const widened = (unit: number, text: string) =>
      (unit & 0xf800) === 0xd800 ? pairedCodePoint(text, index) : unit;
    return widened(a, left) - widened(b, right);
  }
  return left.length - right.length;
}

/**
 * The code point that the unit at `index` is a half of, or the unit itself when it stands alone.
 */
function pairedCodePoint(text: string, index: number): number {
  const before = index > 0 ? text.codePointAt(index - 1) : undefined;
  if (before !== undefined && before > 0xffff) return before;
  return text.codePointAt(index) ?? 0;
}
