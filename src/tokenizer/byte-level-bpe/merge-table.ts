/**
 * The merges of a BPE model: a pair of token ids to its rank, and a rank to what the pair becomes.
 * The lower the rank, the earlier a pair is merged.
 *
 * Contract   filled once, in the order of ranks; a pair that is given again takes the later rank,
 *            as in the Rust library.
 */

/** The rank of a pair that is never merged: higher than any other. */
export const noRank = 0x7fff_ffff;

/** A slot holds left id, right id and rank plus one; zero is an empty slot. */
const slotFields = 3;
const slotLoadMax = 0.6;

export class MergeTable {
  #slots = new Int32Array(slotFields * 2 ** 18);
  #slotMask = 2 ** 18 - 1;
  #pairCount = 0;
  #merged = new Int32Array(2 ** 17);
  #rankCount = 0;

  /** Adds the pair with the next rank. */
  add(left: number, right: number, merged: number): void {
    if (this.#rankCount === this.#merged.length) {
      const larger = new Int32Array(2 * this.#merged.length);
      larger.set(this.#merged);
      this.#merged = larger;
    }
    this.#merged[this.#rankCount] = merged;
    this.#rankCount += 1;
    if (this.#pairCount >= slotLoadMax * (this.#slotMask + 1)) this.#growSlots();
    const slot = this.#slot(left, right);
    if (this.#slots[slot + 2] === 0) this.#pairCount += 1;
    this.#slots[slot] = left;
    this.#slots[slot + 1] = right;
    this.#slots[slot + 2] = this.#rankCount;
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

  /** Index of the pair's slot, or of the empty one where it belongs. */
  #slot(left: number, right: number): number {
    const slots = this.#slots;
    for (let index = hashPair(left, right) & this.#slotMask; ; ) {
      const slot = slotFields * index;
      if (slots[slot + 2] === 0) return slot;
      if (slots[slot] === left && slots[slot + 1] === right) return slot;
      index = (index + 1) & this.#slotMask;
    }
  }

  #growSlots(): void {
    const previous = this.#slots;
    this.#slots = new Int32Array(2 * previous.length);
    this.#slotMask = 2 * this.#slotMask + 1;
    for (let index = 0; index < previous.length; index += slotFields) {
      const rank = previous[index + 2] as number;
      if (rank === 0) continue;
      const left = previous[index] as number;
      const right = previous[index + 1] as number;
      const slot = this.#slot(left, right);
      this.#slots[slot] = left;
      this.#slots[slot + 1] = right;
      this.#slots[slot + 2] = rank;
    }
  }
}

/** Mixes both ids into the low bits. */
function hashPair(left: number, right: number): number {
  const mixed = Math.imul(left, 0x9e3779b1) ^ Math.imul(right, 0x85ebca6b);
  return mixed ^ (mixed >>> 15);
}
