// spec: Oniguruma's doc/RE, "Character class", syntax ONIG_SYNTAX_RUBY with UTF-8
/**
 * Oniguruma's character classes, evaluated to the set of characters that they match: [a-z],
 * [^\s\p{L}], nested classes, intersections with &&.
 *
 * Contract   inside and outside of brackets an escape means the same set.
 * Reports    UnsupportedFeatureError for an escape or a bracket form that is not known to be exact.
 */
import { CodePointSet } from "./code-point-set.ts";
import type { PatternCursor } from "./pattern-cursor.ts";
import { unicodeProperty, whiteSpace } from "./unicode-tables.ts";
import { UnsupportedFeatureError } from "./unsupported-feature.ts";

const controlCharacters = new Map([
  ["n", 0x0a],
  ["r", 0x0d],
  ["t", 0x09],
  ["f", 0x0c],
  ["v", 0x0b],
]);

/** What stands for a single character, or for a class of them. */
export type ClassMember =
  | { readonly kind: "character"; readonly codePoint: number }
  | { readonly kind: "set"; readonly set: CodePointSet };

/** Reads the escape whose backslash was just taken. */
export function readEscape(cursor: PatternCursor): ClassMember {
  const name = cursor.take();
  const control = controlCharacters.get(name);
  if (control !== undefined) return { kind: "character", codePoint: control };
  if (name === "s") return { kind: "set", set: whiteSpace() };
  if (name === "S") return { kind: "set", set: whiteSpace().complement() };
  if (name === "d" || name === "D") {
    const digits = unicodeProperty("Nd") ?? CodePointSet.empty;
    return { kind: "set", set: name === "d" ? digits : digits.complement() };
  }
  if (name === "p" || name === "P") return { kind: "set", set: readProperty(cursor, name) };
  if (/^[!-/:-@[-`{-~ ]$/.test(name)) return { kind: "character", codePoint: codePointOf(name) };
  throw new UnsupportedFeatureError(`the regular expression escape \\${name}`);
}

function readProperty(cursor: PatternCursor, letter: string): CodePointSet {
  const text = cursor.takeIf("{") ? cursor.takeUntil("}") : null;
  const isInverted = text?.startsWith("^") ?? false;
  const set = text === null ? null : unicodeProperty(isInverted ? text.slice(1) : text);
  if (set === null)
    throw new UnsupportedFeatureError(`the character property \\${letter}{${text}}`);
  return isInverted === (letter === "P") ? set : set.complement();
}

/** Reads the class whose opening bracket was just taken. */
export function readCharacterClass(cursor: PatternCursor): CodePointSet {
  const isInverted = cursor.takeIf("^");
  if (cursor.next === "]") throw new UnsupportedFeatureError("a character class with ] in front");
  const everything = CodePointSet.empty.complement();
  let intersection = everything;
  let union = CodePointSet.empty;
  while (!cursor.takeIf("]")) {
    if (cursor.isAtEnd) throw new UnsupportedFeatureError("a character class without end");
    if (cursor.takeIf("&&")) {
      intersection = intersection.intersection(union);
      union = CodePointSet.empty;
      continue;
    }
    union = union.union(readMemberOrRange(cursor));
  }
  const set = intersection.intersection(union);
  return isInverted ? set.complement() : set;
}

function readMemberOrRange(cursor: PatternCursor): CodePointSet {
  const first = readMember(cursor);
  if (first.kind === "set") return first.set;
  if (!cursor.startsWith("-") || cursor.startsWith("-]")) {
    return CodePointSet.range(first.codePoint, first.codePoint);
  }
  cursor.take();
  const last = readMember(cursor);
  if (last.kind === "set" || last.codePoint < first.codePoint) {
    throw new UnsupportedFeatureError("a character range without an end");
  }
  return CodePointSet.range(first.codePoint, last.codePoint);
}

function readMember(cursor: PatternCursor): ClassMember {
  if (cursor.startsWith("[:")) throw new UnsupportedFeatureError("a POSIX bracket [:...:]");
  if (cursor.takeIf("[")) return { kind: "set", set: readCharacterClass(cursor) };
  if (cursor.takeIf("\\")) return readEscape(cursor);
  return { kind: "character", codePoint: codePointOf(cursor.take()) };
}

function codePointOf(character: string): number {
  return character.codePointAt(0) ?? 0;
}
