import { expect, test } from "bun:test";
import { PieceCache } from "../../../src/tokenizer/byte-level-bpe/piece-cache.ts";
import { hashBytes } from "../../../src/tokenizer/byte-level-bpe/vocabulary.ts";
import { randomFrom, seedOf } from "../../harness/random.ts";

function lookUp(cache: PieceCache, piece: string): number[] | null {
  const bytes = Buffer.from(`#${piece}#`);
  const target: number[] = [];
  const hash = hashBytes(bytes, 1, bytes.length - 1);
  return cache.append(bytes, 1, bytes.length - 1, hash, target) ? target : null;
}

function remember(cache: PieceCache, piece: string, tokens: readonly number[]): void {
  const bytes = Buffer.from(piece);
  const hash = hashBytes(bytes, 0, bytes.length);
  // The merger's array is longer than what it holds.
  cache.add(bytes, 0, bytes.length, hash, Int32Array.from([...tokens, 99]), tokens.length);
}

test("append() gives the tokens that were added, one or several", () => {
  const cache = new PieceCache();
  expect(lookUp(cache, "one")).toBeNull();
  remember(cache, "one", [0]);
  remember(cache, "three", [1, 0, 2]);
  expect(lookUp(cache, "one")).toEqual([0]);
  expect(lookUp(cache, "three")).toEqual([1, 0, 2]);
  expect(lookUp(cache, "thre")).toBeNull();
});

test("forgets when it is full and never gives the tokens of another piece", () => {
  const random = randomFrom(seedOf("piece cache"));
  const cache = new PieceCache();
  const tokensOf = (piece: string): number[] => [...piece].map((letter) => letter.charCodeAt(0));
  let known = 0;
  for (let round = 0; round < 40_000; round += 1) {
    const piece = random.integer(0, 8_000).toString(36).repeat(random.integer(1, 4));
    const found = lookUp(cache, piece);
    if (found === null) {
      remember(cache, piece, tokensOf(piece));
      continue;
    }
    known += 1;
    if (!Bun.deepEquals(found, tokensOf(piece))) expect(found).toEqual(tokensOf(piece));
  }
  expect(known).toBeGreaterThan(5_000);
});
