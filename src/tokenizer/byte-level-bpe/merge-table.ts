/**
 * The merges of a BPE model: a pair of token ids to its rank, and a rank to what the pair becomes.
 * The lower the rank, the earlier a pair is merged.
 *
 * Contract   filled once, in the order of ranks; a pair that is given again takes the later rank,
 *            as in the Rust library.
 */
import { slotCountFor } from "./vocabulary.ts";

/** The rank of a pair that is never merged: higher than any other. */
export const noRank = 0x7fff_ffff;

/** A slot holds left id, right id and rank plus one; zero is an empty slot. */
const slotFields = 3;

export class MergeTable {
  readonly #slots: Int32Array;
  readonly #slotMask: number;
  readonly #merged: Int32Array;
  #rankCount = 0;

  /** @param count of the merges that will be added */
  constructor(count: number) {
    const slotCount = slotCountFor(count);
    this.#slots = new Int32Array(slotFields * slotCount);
    this.#slotMask = slotCount - 1;
    this.#merged = new Int32Array(count);
  }

  /** Adds the pair with the next rank. */
  add(left: number, right: number, merged: number): void {
    this.#merged[this.#rankCount] = merged;
    this.#rankCount += 1;
    const slots = this.#slots;
    const mask = this.#slotMask;
    let index = hashPair(left, right) & mask;
    for (;;) {
      const slot = slotFields * index;
      if (slots[slot + 2] === 0) break;
      if (slots[slot] === left && slots[slot + 1] === right) break;
      index = (index + 1) & mask;
    }
    slots[slotFields * index] = left;
    slots[slotFields * index + 1] = right;
    slots[slotFields * index + 2] = this.#rankCount;
  }

  /** Rank of a pair, or `noRank`. */
  rank(left: number, right: number): number {
    const slots = this.#slots;
    const mask = this.#slotMask;
    for (let index = hashPair(left, right) & mask; ; index = (index + 1) & mask) {
      const slot = slotFields * index;
      const rank = slots[slot + 2] as number;
      if (rank === 0) return noRank;
      if (slots[slot] === left && slots[slot + 1] === right) return rank - 1;
    }
  }

  /** Id of what the pair with this rank becomes. */
  merged(rank: number): number {
    return this.#merged[rank] as number;
  }
}

/** Mixes both ids into the low bits. */
function hashPair(left: number, right: number): number {
  const mixed = Math.imul(left, 0x9e3779b1) ^ Math.imul(right, 0x85ebca6b);
  return mixed ^ (mixed >>> 15);
}
