// spec: tiktoken, src/lib.rs, byte_pair_merge
/**
 * Byte-pair encoding as tiktoken does it: of all neighbours whose bytes together are a token, those
 * with the lowest rank are joined, the leftmost first. There is no list of merges; how a token can
 * be put together does not matter.
 *
 * Contract   time grows with n log n: neighbours wait in a heap.
 */
import { popSmallest, pushNumber } from "../byte-level-bpe/number-heap.ts";
import { hashBytes, type Vocabulary } from "../byte-level-bpe/vocabulary.ts";

/** Heap entries are rank * positionCount + position, exact as a double: ranks are below 2^21. */
const positionCount = 2 ** 32;

export class RankMerger {
  readonly #vocabulary: Vocabulary;
  /** By position of a part: where it ends, and where the part before it starts. */
  #ends = new Int32Array(0);
  #previous = new Int32Array(0);
  /** Rank of a part joined with the next one; -1 when that is no token. */
  #ranks = new Int32Array(0);
  readonly #heap: number[] = [];

  constructor(vocabulary: Vocabulary) {
    this.#vocabulary = vocabulary;
  }

  /** The tokens of the bytes from `start` to `end`, every byte of which is a token. */
  merge(bytes: Uint8Array, start: number, end: number): Int32Array {
    const length = end - start;
    if (length > this.#ends.length) {
      this.#ends = new Int32Array(length);
      this.#previous = new Int32Array(length);
      this.#ranks = new Int32Array(length);
    }
    const ends = this.#ends;
    const previous = this.#previous;
    for (let position = 0; position < length; position += 1) {
      ends[position] = position + 1;
      previous[position] = position - 1;
    }
    const source = bytes.subarray(start, end);
    for (let position = 0; position < length; position += 1) this.#rank(source, position);
    for (;;) {
      const position = this.#takeBest();
      if (position < 0) break;
      const removed = ends[position] as number;
      const after = ends[removed] as number;
      ends[position] = after;
      this.#ranks[removed] = -1;
      if (after < length) previous[after] = position;
      this.#rank(source, position);
      const before = previous[position] as number;
      if (before >= 0) this.#rank(source, before);
    }
    const tokens: number[] = [];
    for (let position = 0; position < length; position = ends[position] as number) {
      tokens.push(this.#find(source, position, ends[position] as number));
    }
    return Int32Array.from(tokens);
  }

  /** Enters what the part at `position` and the next one are together. */
  #rank(source: Uint8Array, position: number): void {
    const middle = this.#ends[position] as number;
    const isLast = middle === source.length;
    const rank = isLast ? -1 : this.#find(source, position, this.#ends[middle] as number);
    this.#ranks[position] = rank;
    if (rank >= 0) pushNumber(this.#heap, rank * positionCount + position);
  }

  /** Position of the pair with the lowest rank; -1 when no pair is a token. */
  #takeBest(): number {
    while (this.#heap.length > 0) {
      const entry = popSmallest(this.#heap);
      const rank = Math.floor(entry / positionCount);
      const position = entry - rank * positionCount;
      // A neighbour was joined since; the pair that is there now has an entry of its own.
      if (this.#ranks[position] === rank) return position;
    }
    return -1;
  }

  #find(source: Uint8Array, start: number, end: number): number {
    return this.#vocabulary.find(source, start, end, hashBytes(source, start, end));
  }
}
