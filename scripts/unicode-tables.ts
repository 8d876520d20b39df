/**
 * Reads Unicode properties and normalisation off the Rust tokenizers binding, for the fast
 * tokenizer, which must agree with it: `bun run scripts/unicode-tables.ts` rewrites
 * src/tokenizer/byte-level-bpe/unicode-tables.json. To be run after an update of the binding.
 */
import { join } from "node:path";
import { type Normalizer, nfcNormalizer, nfdNormalizer, Tokenizer } from "tokenizers";
import { CodePointSet } from "../src/tokenizer/byte-level-bpe/code-point-set.ts";
import { projectRoot } from "./dependencies.ts";

/** What the file holds: sets in their written form (CodePointSet). */
export interface UnicodeTables {
  /** By the two letters of the category; those that are not named here are not told apart. */
  readonly generalCategories: Readonly<Record<string, string>>;
  readonly han: string;
  readonly whiteSpace: string;
  readonly composition: { readonly changing: string; readonly leading: string };
}

const generalCategories = [
  ...["Lu", "Ll", "Lt", "Lm", "Lo", "Mn", "Mc", "Me", "Nd", "Nl", "No"],
  ...["Pc", "Pd", "Ps", "Pe", "Pi", "Pf", "Po", "Sm", "Sc", "Sk", "So"],
  ...["Zs", "Zl", "Zp", "Cc", "Cf", "Cn", "Co"],
];

/** Code points that are characters, which surrogates are not. */
const characterRanges = [...CodePointSet.range(0xd800, 0xdfff).complement().ranges()];

/** Characters given to the binding at a time: it keeps tens of bytes of offsets for each. */
const chunkCharacters = 4_096;

function* chunks(): Generator<readonly number[]> {
  for (const [first, last] of characterRanges) {
    for (let start = first; start <= last; start += chunkCharacters) {
      const count = Math.min(chunkCharacters, last + 1 - start);
      yield Array.from({ length: count }, (_, index) => start + index);
    }
  }
}

/** Splits text as the library does it; with `removed`, what the pattern matches is left out. */
function splitter(pattern: string, behavior: "Isolated" | "Removed"): (text: string) => string[] {
  const split = { type: "Split", pattern: { Regex: pattern }, behavior, invert: false };
  const model = { type: "WordLevel", vocab: { x: 0 }, unk_token: "x" };
  const definition = { version: "1.0", added_tokens: [], pre_tokenizer: split, model };
  const preTokenizer = Tokenizer.fromString(JSON.stringify(definition)).getPreTokenizer();
  if (preTokenizer === null) throw new Error(`the binding does not take ${pattern}`);
  return (text) => preTokenizer.preTokenizeString(text).map(([piece]) => piece);
}

const codePoint = (text: string): number => text.codePointAt(0) ?? 0;

/**
 * The characters that each of the properties stands for. One pass over Unicode cuts it into runs
 * that agree in all properties; then one character of each run is asked for each property.
 */
function readProperties(properties: readonly string[]): CodePointSet[] {
  const [categories, others] = [properties.slice(0, -2), properties.slice(-2)];
  const alternatives = categories.flatMap((category) => [
    `[${category}&&${others.join("&&")}]+`,
    ...others.map((other) => `[${category}&&${other}]+`),
    `[${category}&&[^${others.join("")}]]+`,
  ]);
  const split = splitter(alternatives.join("|"), "Isolated");
  const runs = [...chunks()].flatMap((chunk) => split(String.fromCodePoint(...chunk)));
  const samples = runs.map((run) => String.fromCodePoint(codePoint(run))).join("");
  return properties.map((property) => {
    const unmatched = new Set(splitter(property, "Removed")(samples).join(""));
    const matched = runs.filter((run) => !unmatched.has(String.fromCodePoint(codePoint(run))));
    return CodePointSet.fromRanges(
      matched.map((run) => [codePoint(run), codePoint(run) + [...run].length - 1]),
    );
  });
}

/** What `normalizer` makes of each character of a chunk, put behind `before`. */
function normalized(normalizer: Normalizer, chunk: readonly number[], before: string): string[] {
  // A line feed between them keeps the texts apart: it neither composes nor moves.
  const texts = chunk.map((character) => before + String.fromCodePoint(character));
  return normalizer.normalizeString(texts.join("\n\n")).split("\n\n");
}

function readComposition(): UnicodeTables["composition"] {
  const [composer, decomposer] = [nfcNormalizer(), nfdNormalizer()];
  /** Of the last combining class: every other mark moves before it. */
  const lastMark = "\u0345";
  const changing = new Set([codePoint(lastMark)]);
  const leading = new Set<number>();
  for (const chunk of chunks()) {
    // Only a line feed itself would be lost between line feeds, and it takes no part.
    const characters = chunk.filter((character) => character !== 0x0a);
    const composed = normalized(composer, characters, "");
    const decomposed = normalized(decomposer, characters, "");
    const marked = normalized(decomposer, characters, lastMark);
    for (const [index, character] of characters.entries()) {
      const itself = String.fromCodePoint(character);
      const parts = decomposed[index] ?? itself;
      if (composed[index] !== itself || marked[index] !== lastMark + parts) changing.add(character);
      if (parts === itself) continue;
      leading.add(character);
      if (composer.normalizeString(parts) !== itself) continue;
      leading.add(codePoint(parts));
      changing.add(codePoint([...parts].at(-1) ?? itself));
    }
  }
  return {
    changing: setOf(changing).written(),
    leading: setOf(leading.difference(changing)).written(),
  };
}

function setOf(characters: ReadonlySet<number>): CodePointSet {
  const sorted = [...characters].sort((left, right) => left - right);
  return CodePointSet.fromRanges(sorted.map((character) => [character, character]));
}

export function readUnicodeTables(): UnicodeTables {
  const names = [...generalCategories.map((category) => `\\p{${category}}`), "\\p{Han}", "\\s"];
  const sets = readProperties(names).map((set) => set.written());
  const [han = "", whiteSpace = ""] = sets.slice(-2);
  return {
    generalCategories: Object.fromEntries(
      generalCategories.map((category, index) => [category, sets[index] ?? ""]),
    ),
    han,
    whiteSpace,
    composition: readComposition(),
  };
}

if (import.meta.main) {
  const path = join(projectRoot, "src/tokenizer/byte-level-bpe/unicode-tables.json");
  await Bun.write(path, `${JSON.stringify(readUnicodeTables(), null, 2)}\n`);
}
