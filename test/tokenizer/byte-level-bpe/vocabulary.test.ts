import { describe, expect, test } from "bun:test";
import { tokenIdMax } from "../../../src/limits.ts";
import {
  hashBytes,
  slotCountFor,
  Vocabulary,
} from "../../../src/tokenizer/byte-level-bpe/vocabulary.ts";
import { randomFrom, seedOf } from "../../harness/random.ts";

/** A vocabulary of these texts with their places as ids. */
function vocabularyOf(texts: readonly string[], ids = texts.map((_, index) => index)): Vocabulary {
  const bytes = Buffer.from(texts.join(""), "latin1");
  const vocabulary = new Vocabulary(bytes, bytes.length, texts.length);
  let start = 0;
  for (const [index, text] of texts.entries()) {
    const end = start + text.length;
    vocabulary.index(ids[index] ?? -1, start, end, hashBytes(bytes, start, end));
    start = end;
  }
  return vocabulary;
}

function idOf(vocabulary: Vocabulary, text: string): number {
  const bytes = Buffer.from(text, "latin1");
  return vocabulary.find(bytes, 0, bytes.length, hashBytes(bytes, 0, bytes.length));
}

function textOf(vocabulary: Vocabulary, id: number): string {
  const bytes = vocabulary.bytes.subarray(vocabulary.start(id), vocabulary.end(id));
  return Buffer.from(bytes).toString("latin1");
}

test("find() gives the id of every token and of nothing else", () => {
  const random = randomFrom(seedOf("vocabulary"));
  const text = () =>
    Array.from({ length: random.integer(1, 3) }, () => random.pick([..."abcdefgh\u00ff"])).join("");
  const texts = [...new Set(Array.from({ length: 800 }, text))];
  const kept = texts.slice(0, 300);
  const ids = kept.map((_, index) => 7 * index);
  const vocabulary = vocabularyOf(kept, ids);
  for (const [index, token] of kept.entries()) {
    expect(idOf(vocabulary, token)).toBe(7 * index);
    expect(textOf(vocabulary, 7 * index)).toBe(token);
  }
  for (const other of texts.slice(300)) expect(idOf(vocabulary, other)).toBe(-1);
});

test("start() knows ids without a token", () => {
  const vocabulary = vocabularyOf(["a", "b"], [0, 5]);
  expect(vocabulary.start(3)).toBe(-1);
  expect(vocabulary.start(1_000_000)).toBe(-1);
  expect(vocabulary.start(-1)).toBe(-1);
  expect(vocabulary.equals(3, Buffer.from("a"), 0, 1)).toBe(false);
  expect(vocabulary.equals(-5, Buffer.from("a"), 0, 1)).toBe(false);
});

test("addHidden() adds bytes that are not found, at any id", () => {
  const vocabulary = vocabularyOf(["a"]);
  vocabulary.addHidden(40, Buffer.from("hidden"));
  expect(textOf(vocabulary, 40)).toBe("hidden");
  expect(textOf(vocabulary, 0)).toBe("a");
  expect(idOf(vocabulary, "hidden")).toBe(-1);
});

describe("refuses", () => {
  test("repeated tokens, repeated ids and ids beyond the bound", () => {
    expect(() => vocabularyOf(["a", "b", "a"])).toThrow("repeats a token");
    expect(() => vocabularyOf(["a", "b"], [4, 4])).toThrow("gives an id twice");
    expect(idOf(vocabularyOf(["a"], [tokenIdMax]), "a")).toBe(tokenIdMax);
    expect(() => vocabularyOf(["a"], [tokenIdMax + 1])).toThrow("token ids above");
  });
});

test("slotCountFor() leaves a third of the slots empty", () => {
  for (const count of [0, 1, 5, 600, 151_643]) {
    const slots = slotCountFor(count);
    expect(Number.isInteger(Math.log2(slots))).toBe(true);
    expect(count / slots).toBeLessThanOrEqual(0.6);
  }
});

test("hashBytes() can go on from the hash of what stands before", () => {
  const bytes = Buffer.from("together");
  const before = hashBytes(bytes, 0, 3);
  expect(hashBytes(bytes, 3, 8, before)).toBe(hashBytes(bytes, 0, 8));
  // FNV-1a of "a", 32 bits.
  expect(hashBytes(Buffer.from("a"), 0, 1) >>> 0).toBe(0xe40c292c);
});
