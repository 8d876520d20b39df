/**
 * Unicode as the Rust tokenizers library knows it: properties from its Oniguruma, normalisation
 * from its own crate. Both are older than this runtime's, and of different age, so that properties
 * of RegExp and `normalize()` alone would give other tokens for newer characters.
 *
 * Contract   the data (unicode-tables.json) was read off the binding by scripts/unicode-tables.ts;
 *            a test reads it off again and compares.
 */
import { CodePointSet } from "./code-point-set.ts";
import tables from "./unicode-tables.json" with { type: "json" };

/** General categories with two letters; "L" stands for all that begin with it. */
const categories = new Map(Object.entries(tables.generalCategories));

/**
 * The code points that Oniguruma's `\p{name}` stands for.
 *
 * @param name a general category ("L", "Lu", ...) or "Han"
 * @returns null for any other name
 */
export function unicodeProperty(name: string): CodePointSet | null {
  if (name === "Han") return CodePointSet.parse(tables.han);
  const own = categories.get(name);
  if (own !== undefined) return CodePointSet.parse(own);
  if (!/^[CLMNPSZ]$/.test(name)) return null;
  let union = CodePointSet.empty;
  for (const [category, text] of categories) {
    if (category.startsWith(name)) union = union.union(CodePointSet.parse(text));
  }
  return union;
}

/** Oniguruma's `\s`. */
export function whiteSpace(): CodePointSet {
  return CodePointSet.parse(tables.whiteSpace);
}

/**
 * What takes part in NFC, as the library's tables have it. Text without a `changing` character is
 * its own NFC; a `leading` one may be changed by a changing one that follows it.
 */
export function canonicalComposition(): {
  readonly changing: CodePointSet;
  readonly leading: CodePointSet;
} {
  return {
    changing: CodePointSet.parse(tables.composition.changing),
    leading: CodePointSet.parse(tables.composition.leading),
  };
}
