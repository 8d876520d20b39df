import { expect, test } from "bun:test";
import { RankMerger } from "../../../src/tokenizer/tiktoken/rank-merger.ts";
import { readTiktokenRanks } from "../../../src/tokenizer/tiktoken/tiktoken-ranks.ts";
import { tiktokenModel } from "../../fixtures/tiktoken.ts";
import { growthOverTenfold } from "../../harness/work.ts";

const tokens = ["aa", "ab", "aaa", "baa", "abaa", "bc", "cd"];
const merger = new RankMerger(readTiktokenRanks(tiktokenModel(tokens), "m").vocabulary);

/** tiktoken's rule as it is written down: scan for the lowest rank, join, again. */
function mergeByScan(text: string): string[] {
  const parts = [...text];
  const rank = (index: number): number => {
    const joined = tokens.indexOf((parts[index] ?? "") + (parts[index + 1] ?? "?"));
    return joined < 0 ? Number.POSITIVE_INFINITY : joined;
  };
  for (;;) {
    const ranks = parts.map((_, index) => rank(index));
    const best = Math.min(...ranks);
    if (best === Number.POSITIVE_INFINITY) return parts;
    const index = ranks.indexOf(best);
    parts.splice(index, 2, (parts[index] ?? "") + (parts[index + 1] ?? ""));
  }
}

function merge(text: string): string[] {
  const bytes = Buffer.from(`<${text}>`);
  const ids = merger.merge(bytes, 1, bytes.length - 1);
  return Array.from(ids, (id) => tokens[id - 256] ?? String.fromCharCode(id));
}

test("merge() is tiktoken's rule on every text of four letters up to length 7", () => {
  let texts = [""];
  for (let length = 1; length <= 7; length += 1) {
    texts = texts.flatMap((text) => [..."abcd"].map((letter) => text + letter));
    for (const text of texts) expect(merge(text), text).toEqual(mergeByScan(text));
  }
});

test("merge() takes time near linear in a long piece", () => {
  const texts = { one: "a".repeat(25_000), ten: "a".repeat(250_000) };
  expect(merge(texts.ten).length).toBe(125_000);
  // Quadratic time would be a hundred times as much for ten times the piece.
  expect(growthOverTenfold((size) => void merge(texts[size]), 40)).toBeLessThan(40);
});
