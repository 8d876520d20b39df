import { describe, expect, test } from "bun:test";
import { readCharacterClass } from "../../../src/tokenizer/byte-level-bpe/character-class.ts";
import { PatternCursor } from "../../../src/tokenizer/byte-level-bpe/pattern-cursor.ts";
import { librarySplitter } from "./binding.ts";

/** What the set holds out of everything below U+3100. */
function membersOf(pattern: string): string[] {
  const cursor = new PatternCursor(pattern);
  cursor.take();
  const set = readCharacterClass(cursor);
  expect(cursor.isAtEnd).toBe(true);
  return characters.filter((character) => set.has(character.codePointAt(0) ?? -1));
}

const characters = Array.from({ length: 0x3100 }, (_, index) => String.fromCodePoint(index));

/** The same from the library: all characters that it does not leave standing. */
function libraryMembersOf(pattern: string): string[] {
  const left = new Set(librarySplitter(pattern, "Removed")(characters.join("")).join(""));
  return characters.filter((character) => !left.has(character));
}

describe("readCharacterClass() agrees with the library", () => {
  test.each([
    "[a-z]",
    "[^\\r\\n\\p{L}\\p{N}]",
    "[\\p{Lu}\\p{Lt}\\p{Lm}\\p{Lo}\\p{M}&&[^\\p{Han}]]",
    "[^\\s\\p{L}&&[^\\d]]",
    "[!\"#$%&'()*+,\\-./:;<=>?@\\[\\\\\\]^_`{|}~]",
    "[一-龥぀-ゟ゠-ヿ]",
    "[a\\-c-]",
    "[\\S\\t]",
    "[\\P{L}\\p{^N}&&\\p{P}]",
    "[\\D&&\\p{Nd}a]",
    "[a-f[0-9]&&[^c]]",
  ])("%s", (pattern) => {
    expect(membersOf(pattern)).toEqual(libraryMembersOf(pattern));
  });
});

test.each([
  ["[[:alpha:]]", "POSIX bracket"],
  ["[\\w]", "escape \\w"],
  ["[\\b]", "escape \\b"],
  ["[]a]", "] in front"],
  ["[abc", "without end"],
  ["[z-a]", "range"],
  ["[a-\\s]", "range"],
  ["[\\p{Hiragana}]", "property \\p{Hiragana}"],
])("readCharacterClass() refuses %s", (pattern, reason) => {
  const cursor = new PatternCursor(pattern);
  cursor.take();
  expect(() => readCharacterClass(cursor)).toThrow(reason);
});
