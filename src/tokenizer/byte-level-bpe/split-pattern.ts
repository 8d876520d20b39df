// spec: Oniguruma's doc/RE, syntax ONIG_SYNTAX_RUBY with UTF-8
/**
 * Translates the regular expressions of pre-tokenizers from Oniguruma, which the Rust library uses,
 * to RegExp. Both backtrack and take the first alternative that matches, so that the same
 * constructs give the same matches; every class of characters is written out as the code points
 * that it has in Oniguruma.
 *
 * Contract   the RegExp matches what Oniguruma matches in well-formed text, and never the empty
 *            text.
 * Reports    UnsupportedFeatureError for any other construct, by name: anchors, captures that are
 *            used, lazy and possessive quantifiers, look-behind, other groups.
 */
import { readCharacterClass, readEscape } from "./character-class.ts";
import { CodePointSet } from "./code-point-set.ts";
import { PatternCursor } from "./pattern-cursor.ts";
import { requireFeature, UnsupportedFeatureError } from "./unsupported-feature.ts";

/** A part of the translation. */
interface Part {
  readonly source: string;
  /** Whether it may match nothing at all. */
  readonly canBeEmpty: boolean;
}

/**
 * Letters that one character of another case stands for, such as the ligature U+FB06 for "st":
 * Oniguruma knows these when it ignores case, RegExp does not.
 */
const foldedToOneCharacter = /ss|st|ff|fi|fl/i;

/** A RegExp with the flags `u` and `y` for the pattern of a Split pre-tokenizer. */
export function translatePattern(pattern: string): RegExp {
  const cursor = new PatternCursor(pattern);
  const whole = readAlternatives(cursor);
  requireFeature(cursor.isAtEnd, "a regular expression with an unmatched )");
  requireFeature(!whole.canBeEmpty, "a regular expression that matches the empty text");
  return new RegExp(whole.source, "uy");
}

/** A RegExp that matches a text as it stands. */
export function literalPattern(text: string): RegExp {
  requireFeature(text !== "", "a split at the empty text");
  return new RegExp([...text].map(literalSource).join(""), "uy");
}

/** Reads up to an unmatched `)` or the end. */
function readAlternatives(cursor: PatternCursor): Part {
  const alternatives = [readSequence(cursor)];
  while (cursor.takeIf("|")) alternatives.push(readSequence(cursor));
  return {
    source: alternatives.map((alternative) => alternative.source).join("|"),
    canBeEmpty: alternatives.some((alternative) => alternative.canBeEmpty),
  };
}

function readSequence(cursor: PatternCursor): Part {
  let source = "";
  let canBeEmpty = true;
  while (!cursor.isAtEnd && cursor.next !== "|" && cursor.next !== ")") {
    const part = readQuantified(cursor);
    source += part.source;
    canBeEmpty &&= part.canBeEmpty;
  }
  return { source, canBeEmpty };
}

function readQuantified(cursor: PatternCursor): Part {
  const isLookAhead = cursor.startsWith("(?=") || cursor.startsWith("(?!");
  const atom = readAtom(cursor);
  const quantifier = readQuantifier(cursor);
  if (quantifier === null) return atom;
  requireFeature(!isLookAhead, "a quantified look-ahead");
  // Engines differ in when they leave a loop that makes no progress.
  requireFeature(!atom.canBeEmpty, "a quantifier on what may be empty");
  requireFeature(!/^[?*+{]/.test(cursor.next), "a lazy, possessive or repeated quantifier");
  return { source: atom.source + quantifier, canBeEmpty: /^[?*]|^\{0/.test(quantifier) };
}

function readQuantifier(cursor: PatternCursor): string | null {
  if (/^[?*+]$/.test(cursor.next)) return cursor.take();
  if (!cursor.takeIf("{")) return null;
  const bounds = /^(\d{1,4})(?:,(\d{0,4}))?$/.exec(cursor.takeUntil("}") ?? "");
  requireFeature(bounds !== null, "a { that is no quantifier");
  const [text, minimum = "", maximum = ""] = bounds;
  requireFeature(maximum === "" || Number(minimum) <= Number(maximum), "a reversed quantifier");
  return `{${text}}`;
}

function readAtom(cursor: PatternCursor): Part {
  if (cursor.takeIf("(")) return readGroup(cursor);
  if (cursor.takeIf("[")) return classPart(readCharacterClass(cursor));
  if (cursor.takeIf("\\")) {
    const member = readEscape(cursor);
    return member.kind === "set"
      ? classPart(member.set)
      : literalPart(String.fromCodePoint(member.codePoint));
  }
  if (cursor.takeIf(".")) return classPart(CodePointSet.range(0x0a, 0x0a).complement());
  const character = cursor.take();
  requireFeature(!/[?*+^${}\]]/.test(character), `a regular expression with a bare ${character}`);
  return literalPart(character);
}

function readGroup(cursor: PatternCursor): Part {
  if (cursor.takeIf("?i:")) return readCaselessGroup(cursor);
  for (const lookAhead of ["?=", "?!"]) {
    if (!cursor.takeIf(lookAhead)) continue;
    const inner = readAlternatives(cursor);
    requireClosed(cursor);
    return { source: `(${lookAhead}${inner.source})`, canBeEmpty: true };
  }
  // Nothing refers to what a group captured, so none needs to capture.
  if (!cursor.takeIf("?:") && cursor.next === "?") {
    throw new UnsupportedFeatureError("a regular expression group of another kind than (?:");
  }
  const inner = readAlternatives(cursor);
  requireClosed(cursor);
  return { source: `(?:${inner.source})`, canBeEmpty: inner.canBeEmpty };
}

/** Words of ASCII, in any case: what contractions are written with. */
function readCaselessGroup(cursor: PatternCursor): Part {
  const content = cursor.takeUntil(")") ?? "";
  requireFeature(/^[\w'" |]+$/.test(content), "(?i:...) with other than plain ASCII words");
  requireFeature(!foldedToOneCharacter.test(content), "(?i:...) with letters of a ligature");
  const words = content.split("|");
  return {
    source: `(?i:${words.map((word) => [...word].map(literalSource).join("")).join("|")})`,
    canBeEmpty: words.includes(""),
  };
}

function requireClosed(cursor: PatternCursor): void {
  requireFeature(cursor.takeIf(")"), "a regular expression group without end");
}

function classPart(set: CodePointSet): Part {
  requireFeature(!set.isEmpty, "an empty character class");
  return { source: set.characterClass(), canBeEmpty: false };
}

function literalPart(character: string): Part {
  return { source: literalSource(character), canBeEmpty: false };
}

function literalSource(character: string): string {
  if (/^[A-Za-z0-9]$/.test(character)) return character;
  return `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
}
