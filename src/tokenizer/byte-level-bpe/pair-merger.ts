/**
 * Byte-pair encoding of one piece of text: bytes become tokens, then the pair of neighbours with
 * the lowest rank is merged, the leftmost first, until no pair has a rank.
 *
 * Contract   short pieces are scanned for each merge; long ones use a heap, so that time grows with
 *            n log n and 100,000 equal letters take milliseconds.
 */
import { type MergeTable, noRank } from "./merge-table.ts";
import { popSmallest, pushNumber } from "./number-heap.ts";

/** Bytes up to which scanning beats the heap. */
const scannedBytesMax = 64;

/** Heap entries are rank * positionCount + position, exact as a double: ranks are below 2^21. */
const positionCount = 2 ** 32;

/** Bytes of arrays that are kept between pieces. */
const keptBytesMax = 2 ** 16;

export class PairMerger {
  readonly #merges: MergeTable;
  /** Token of each byte. */
  readonly #byteTokens: Int32Array;
  /** Tokens of the current piece, by position; in the long form a merged-away one leaves a hole. */
  #tokens = new Int32Array(scannedBytesMax);
  /** Rank of the pair that starts at a position. */
  #ranks = new Int32Array(scannedBytesMax);
  #previous = new Int32Array(0);
  #next = new Int32Array(0);
  #heap: number[] = [];

  constructor(merges: MergeTable, byteTokens: Int32Array) {
    this.#merges = merges;
    this.#byteTokens = byteTokens;
  }

  /**
   * Merges `bytes[start]` to `bytes[end - 1]`.
   *
   * @returns the tokens, valid until the next call, and how many there are
   */
  merge(bytes: Uint8Array, start: number, end: number): { tokens: Int32Array; count: number } {
    const length = end - start;
    if (length > this.#tokens.length) {
      this.#tokens = new Int32Array(length);
      this.#ranks = new Int32Array(length);
    }
    const tokens = this.#tokens;
    for (let index = 0; index < length; index += 1) {
      tokens[index] = this.#byteTokens[bytes[start + index] as number] as number;
    }
    const ranks = this.#ranks;
    for (let index = 0; index + 1 < length; index += 1) {
      ranks[index] = this.#merges.rank(tokens[index] as number, tokens[index + 1] as number);
    }
    const count = length <= scannedBytesMax ? this.#mergeByScan(length) : this.#mergeByHeap(length);
    if (this.#tokens.length > keptBytesMax) this.#forget();
    return { tokens, count };
  }

  #mergeByScan(length: number): number {
    const tokens = this.#tokens;
    const ranks = this.#ranks;
    const merges = this.#merges;
    let count = length;
    for (;;) {
      let best = 0;
      let bestRank = noRank;
      for (let index = 0; index + 1 < count; index += 1) {
        const rank = ranks[index] as number;
        if (rank < bestRank) {
          best = index;
          bestRank = rank;
        }
      }
      if (bestRank === noRank) return count;
      const merged = merges.merged(bestRank);
      tokens[best] = merged;
      count -= 1;
      for (let index = best + 1; index < count; index += 1) {
        tokens[index] = tokens[index + 1] as number;
        ranks[index] = ranks[index + 1] as number;
      }
      if (best > 0) ranks[best - 1] = merges.rank(tokens[best - 1] as number, merged);
      if (best + 1 < count) ranks[best] = merges.rank(merged, tokens[best + 1] as number);
    }
  }

  #mergeByHeap(length: number): number {
    const tokens = this.#tokens;
    const ranks = this.#ranks;
    const heap = this.#heap;
    if (this.#next.length < length) {
      this.#next = new Int32Array(length);
      this.#previous = new Int32Array(length);
    }
    const next = this.#next;
    const previous = this.#previous;
    ranks[length - 1] = noRank;
    for (let index = 0; index < length; index += 1) {
      next[index] = index + 1;
      previous[index] = index - 1;
      this.#push(index);
    }
    while (heap.length > 0) {
      const entry = popSmallest(heap);
      const rank = Math.floor(entry / positionCount);
      const position = entry - rank * positionCount;
      // A neighbour was merged since; the pair that is there now has an entry of its own.
      if (ranks[position] !== rank) continue;
      const removed = next[position] as number;
      const after = next[removed] as number;
      tokens[position] = this.#merges.merged(rank);
      ranks[removed] = noRank;
      next[position] = after;
      if (after < length) previous[after] = position;
      const before = previous[position] as number;
      if (before >= 0) this.#rankAgain(before, position);
      if (after < length) this.#rankAgain(position, after);
      else ranks[position] = noRank;
    }
    let count = 0;
    for (let index = 0; index < length; index = next[index] as number) {
      tokens[count] = tokens[index] as number;
      count += 1;
    }
    return count;
  }

  #rankAgain(left: number, right: number): void {
    const tokens = this.#tokens;
    this.#ranks[left] = this.#merges.rank(tokens[left] as number, tokens[right] as number);
    this.#push(left);
  }

  /** Enters the pair that starts at `position` into the heap. */
  #push(position: number): void {
    const rank = this.#ranks[position] as number;
    if (rank === noRank) return;
    pushNumber(this.#heap, rank * positionCount + position);
  }

  #forget(): void {
    this.#tokens = new Int32Array(scannedBytesMax);
    this.#ranks = new Int32Array(scannedBytesMax);
    this.#next = new Int32Array(0);
    this.#previous = new Int32Array(0);
    this.#heap = [];
  }
}
