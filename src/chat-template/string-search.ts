/**
 * The searching methods of str, whose optional start and end count code points.
 */
import { typeError } from "./errors.ts";
import { indexNumber } from "./indexing.ts";
import { Markup } from "./markup.ts";
import { characterIndex, characters, isBasic, unitIndex } from "./text.ts";
import { Tuple, typeName, type Value } from "./values.ts";

/** The part of a text that start and end select; null when start lies beyond the end. */
interface Part {
  readonly text: string;
  /** UTF-16 index of the part within the whole text. */
  readonly offset: number;
}

function selectPart(text: string, start: Value | undefined, end: Value | undefined): Part | null {
  if (start === undefined && end === undefined) return { text, offset: 0 };
  const length = isBasic(text) ? text.length : characters(text).length;
  const position = (value: Value | undefined, missing: number): number => {
    if (value === undefined || value === null) return missing;
    const index = indexNumber(value);
    if (index === undefined) {
      throw typeError("slice indices must be integers or None or have an __index__ method");
    }
    return index < 0 ? Math.max(0, index + length) : index;
  };
  const from = position(start, 0);
  const to = Math.min(position(end, length), length);
  if (from > to) return null;
  const offset = unitIndex(text, from);
  return { text: text.slice(offset, unitIndex(text, to)), offset };
}

export function textArgument(value: Value | undefined): string {
  if (typeof value === "string") return value;
  if (value instanceof Markup) return value.text;
  throw typeError(`must be str, not ${typeName(value ?? null)}`);
}

/** str.find and str.rfind: an index in code points, -1 when absent. */
export function findText(
  text: string,
  value: Value | undefined,
  start: Value | undefined,
  end: Value | undefined,
  fromRight: boolean,
): number {
  const wanted = textArgument(value);
  const part = selectPart(text, start, end);
  if (part === null) return -1;
  const at = fromRight ? part.text.lastIndexOf(wanted) : part.text.indexOf(wanted);
  return at < 0 ? -1 : characterIndex(text, part.offset + at);
}

/** str.count */
export function countText(
  text: string,
  value: Value | undefined,
  start: Value | undefined,
  end: Value | undefined,
): number {
  const wanted = textArgument(value);
  const part = selectPart(text, start, end);
  if (part === null) return 0;
  if (wanted === "") return characters(part.text).length + 1;
  return part.text.split(wanted).length - 1;
}

/** str.startswith and str.endswith; `affix` may be a tuple of texts. */
export function hasAffix(
  name: "startswith" | "endswith",
  text: string,
  affix: Value | undefined,
  start: Value | undefined,
  end: Value | undefined,
): boolean {
  const candidates = affix instanceof Tuple ? affix.items : [affix ?? null];
  const part = selectPart(text, start, end);
  for (const candidate of candidates) {
    if (typeof candidate !== "string") {
      throw typeError(
        `${name} first arg must be str or a tuple of str, not ${typeName(candidate)}`,
      );
    }
    if (part === null) continue;
    const found =
      name === "startswith" ? part.text.startsWith(candidate) : part.text.endsWith(candidate);
    if (found) return true;
  }
  return false;
}
