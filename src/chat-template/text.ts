/**
 * Python's str seen as code points: length, index, slice, stripping, splitting into lines.
 *
 * Contract   positions and lengths count code points, as in Python, while the strings are UTF-16; a
 *            text without surrogate pairs, the usual case, is handled without copying it apart.
 */
import { codePointLength } from "../json/lossless-lexical.ts";
import { templateTextUnitsMax } from "../limits.ts";
import { boundExceeded } from "./errors.ts";

const surrogatePair = /[\ud800-\udbff][\udc00-\udfff]/;

/** What str.isspace() accepts: str.strip() and str.split() cut at these. */
export const whitespaceClass =
  "\\t-\\r\\x1c-\\x20\\x85\\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000";
const whitespace = new RegExp(`[${whitespaceClass}]`);
const whitespaceRun = new RegExp(`[${whitespaceClass}]+`, "g");

/** Throws instead of letting one string grow without bound. */
export function boundedText(text: string): string {
  if (text.length > templateTextUnitsMax) throw boundExceeded("length of a string");
  return text;
}

/** text * count */
export function repeatText(text: string, count: number): string {
  if (count <= 0) return "";
  if (text.length * count > templateTextUnitsMax) throw boundExceeded("length of a string");
  return text.repeat(count);
}

/** True when every code point is one UTF-16 unit. */
export function isBasic(text: string): boolean {
  return !surrogatePair.test(text);
}

/** list(text) */
export function characters(text: string): string[] {
  return isBasic(text) ? text.split("") : Array.from(text);
}

/** text[index]; undefined where Python raises IndexError. */
export function characterAt(text: string, index: number): string | undefined {
  const units = isBasic(text) ? text : Array.from(text);
  return units[index < 0 ? units.length + index : index];
}

/** The UTF-16 index of a code point index within 0 and the length of the text. */
export function unitIndex(text: string, index: number): number {
  if (isBasic(text)) return Math.min(index, text.length);
  let unit = 0;
  for (let count = 0; count < index && unit < text.length; count += 1) {
    unit += (text.codePointAt(unit) ?? 0) > 0xffff ? 2 : 1;
  }
  return unit;
}

/** The code point index of a UTF-16 index. */
export function characterIndex(text: string, unit: number): number {
  return codePointLength(text.slice(0, unit));
}

/** text[start:stop:step] for indices as sliceIndices gives them. */
export function sliceText(text: string, indices: readonly number[]): string {
  if (!isBasic(text)) {
    const units = Array.from(text);
    return indices.map((index) => units[index]).join("");
  }
  const first = indices[0];
  if (first === undefined) return "";
  const last = first + indices.length - 1;
  if (indices.at(-1) === last) return text.slice(first, last + 1);
  return indices.map((index) => text[index]).join("");
}

export type Side = "both" | "left" | "right";

/** str.strip, str.lstrip, str.rstrip; `chars` null strips whitespace. */
export function strip(text: string, chars: string | null, side: Side = "both"): string {
  const belongs = chars === null ? isSpaceUnit : memberOf(chars);
  if (!isBasic(text) || (chars !== null && !isBasic(chars))) {
    return stripCharacters(text, belongs, side);
  }
  let start = 0;
  let end = text.length;
  if (side !== "right") while (start < end && belongs(text[start] as string)) start += 1;
  if (side !== "left") while (end > start && belongs(text[end - 1] as string)) end -= 1;
  return start === 0 && end === text.length ? text : text.slice(start, end);
}

function isSpaceUnit(character: string): boolean {
  return whitespace.test(character);
}

function memberOf(chars: string): (character: string) => boolean {
  if (chars.length === 1) return (character) => character === chars;
  const members = new Set(chars);
  return (character) => members.has(character);
}

function stripCharacters(
  text: string,
  belongs: (character: string) => boolean,
  side: Side,
): string {
  const units = Array.from(text);
  let start = 0;
  let end = units.length;
  if (side !== "right") while (start < end && belongs(units[start] as string)) start += 1;
  if (side !== "left") while (end > start && belongs(units[end - 1] as string)) end -= 1;
  return units.slice(start, end).join("");
}

/** str.split(sep, maxsplit), separator not empty; `limit` below zero means no limit. */
export function split(text: string, separator: string, limit: number): string[] {
  if (limit < 0) return text.split(separator);
  const parts: string[] = [];
  let start = 0;
  while (parts.length < limit) {
    const at = text.indexOf(separator, start);
    if (at < 0) break;
    parts.push(text.slice(start, at));
    start = at + separator.length;
  }
  parts.push(text.slice(start));
  return parts;
}

/** str.rsplit(sep, maxsplit) */
export function splitFromRight(text: string, separator: string, limit: number): string[] {
  const parts: string[] = [];
  let end = text.length;
  while (limit < 0 || parts.length < limit) {
    const at = end < separator.length ? -1 : text.lastIndexOf(separator, end - separator.length);
    if (at < 0) break;
    parts.push(text.slice(at + separator.length, end));
    end = at;
  }
  parts.push(text.slice(0, end));
  return parts.reverse();
}

/** str.split(None, maxsplit): runs of whitespace separate, none stand at the ends. */
export function splitAtSpace(text: string, limit: number): string[] {
  const rest = strip(text, null, limit < 0 ? "both" : "left");
  if (rest === "") return [];
  if (limit < 0) return rest.split(whitespaceRun);
  const parts: string[] = [];
  let start = 0;
  for (const run of rest.matchAll(whitespaceRun)) {
    // A run at the very end separates nothing.
    if (parts.length === limit || run.index + run[0].length === rest.length) break;
    parts.push(rest.slice(start, run.index));
    start = run.index + run[0].length;
  }
  const last = rest.slice(start);
  parts.push(parts.length < limit ? strip(last, null, "right") : last);
  return parts;
}

/** str.rsplit(None, maxsplit) */
export function splitAtSpaceFromRight(text: string, limit: number): string[] {
  if (limit < 0) return splitAtSpace(text, limit);
  const rest = strip(text, null, "right");
  if (rest === "") return [];
  const runs = [...rest.matchAll(whitespaceRun)].filter((run) => run.index > 0).reverse();
  const parts: string[] = [];
  let end = rest.length;
  for (const run of runs.slice(0, limit)) {
    parts.push(rest.slice(run.index + run[0].length, end));
    end = run.index;
  }
  const first = rest.slice(0, end);
  parts.push(parts.length < limit ? strip(first, null, "left") : first);
  return parts.reverse();
}

const lineBreakClass = "\\n\\r\\v\\f\\x1c-\\x1e\\x85\\u2028\\u2029";
const lineBreak = new RegExp(`\\r\\n|[${lineBreakClass}]`, "g");

/** str.splitlines(keepends) */
export function splitLines(text: string, keepEnds: boolean): string[] {
  const lines: string[] = [];
  let start = 0;
  for (const found of text.matchAll(lineBreak)) {
    const next = found.index + found[0].length;
    lines.push(text.slice(start, keepEnds ? next : found.index));
    start = next;
  }
  if (start < text.length) lines.push(text.slice(start));
  return lines;
}

/** str.replace(old, new, count); `count` below zero means all. */
export function replaceText(text: string, old: string, replacement: string, count: number): string {
  if (count === 0) return text;
  if (old !== "") {
    const parts = split(text, old, count);
    checkGrowth(text, parts.length - 1, replacement);
    return parts.join(replacement);
  }
  // An empty text stands before each character and at the end.
  const units = characters(text);
  const places = count < 0 ? units.length + 1 : Math.min(count, units.length + 1);
  checkGrowth(text, places, replacement);
  const parts: string[] = [];
  for (let index = 0; index <= units.length; index += 1) {
    if (index < places) parts.push(replacement);
    parts.push(units[index] ?? "");
  }
  return parts.join("");
}

function checkGrowth(text: string, places: number, replacement: string): void {
  if (text.length + places * replacement.length <= templateTextUnitsMax) return;
  throw boundExceeded("length of a string");
}
