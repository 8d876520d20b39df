/**
 * The tokens of a model: bytes to id and id to bytes, in typed arrays. A vocabulary of 150,000
 * tokens takes 5 MB and no garbage collector's time.
 *
 * Contract   filled once, then read; ids and tokens are unique.
 */
import { assert } from "../../assert.ts";
import { tokenIdMax } from "../../limits.ts";
import { requireFeature } from "./unsupported-feature.ts";

/** FNV-1a, 32 bits: the hash of no bytes, and what each byte is multiplied in with. */
export const emptyHash = 0x811c9dc5 | 0;
const fnvPrime = 0x01000193;

/** A slot holds a hash and an id plus one; zero is an empty slot. */
const slotFields = 2;
const slotLoadMax = 0.6;

/** Smallest power of two of slots that `count` entries leave enough of empty. */
export function slotCountFor(count: number): number {
  return 2 ** Math.ceil(Math.log2(Math.max(1, count) / slotLoadMax));
}

/** The hash of some bytes and one more. */
export function hashByte(hash: number, byte: number): number {
  return Math.imul(hash ^ byte, fnvPrime);
}

/** The hash of `bytes[start]` to `bytes[end - 1]`, behind bytes with the hash `before`. */
export function hashBytes(
  bytes: Uint8Array,
  start: number,
  end: number,
  before = emptyHash,
): number {
  let hash = before;
  for (let index = start; index < end; index += 1) hash = hashByte(hash, bytes[index] as number);
  return hash;
}

export class Vocabulary {
  /** The bytes of all tokens. */
  #bytes: Uint8Array;
  #length: number;
  /** By id, side by side: where its bytes start and end. An id without a token has -1. */
  #ranges: Int32Array;
  readonly #slots: Int32Array;
  readonly #slotMask: number;
  #indexed = 0;

  /**
   * @param bytes in which tokens lie that will be given to `index`; it becomes the vocabulary's own
   * @param length how many of them are in use
   * @param tokenCount how many tokens will be given to `index`, at most
   */
  constructor(bytes: Uint8Array, length: number, tokenCount: number) {
    this.#bytes = bytes;
    this.#length = length;
    this.#ranges = new Int32Array(2 * tokenCount).fill(-1);
    const slotCount = slotCountFor(tokenCount);
    this.#slots = new Int32Array(slotFields * slotCount);
    this.#slotMask = slotCount - 1;
  }

  /** The bytes that `start` and `end` point into. */
  get bytes(): Uint8Array {
    return this.#bytes;
  }

  /** Index of the first byte of a token; -1 when there is no such id. */
  start(id: number): number {
    return this.#ranges[2 * id] ?? -1;
  }

  /** Index behind the last byte of a token. */
  end(id: number): number {
    return this.#ranges[2 * id + 1] ?? -1;
  }

  /** Makes the bytes from `start` to `end` of this vocabulary a token that is found by them. */
  index(id: number, start: number, end: number, hash: number): void {
    assert(this.#indexed < this.#slotMask, "a vocabulary has no more tokens than was said");
    this.#indexed += 1;
    this.#place(id, start, end);
    const slots = this.#slots;
    let slot = hash & this.#slotMask;
    for (;;) {
      const other = (slots[slotFields * slot + 1] as number) - 1;
      if (other < 0) break;
      const isRepeated =
        slots[slotFields * slot] === hash && this.equals(other, this.#bytes, start, end);
      requireFeature(!isRepeated, "a vocabulary that repeats a token");
      slot = (slot + 1) & this.#slotMask;
    }
    slots[slotFields * slot] = hash;
    slots[slotFields * slot + 1] = id + 1;
  }

  /** Adds a token that only its id leads to. */
  addHidden(id: number, bytes: Uint8Array): void {
    const start = this.#length;
    const end = start + bytes.length;
    if (end > this.#bytes.length) {
      const larger = new Uint8Array(2 * end);
      larger.set(this.#bytes.subarray(0, start));
      this.#bytes = larger;
    }
    this.#bytes.set(bytes, start);
    this.#length = end;
    this.#place(id, start, end);
  }

  #place(id: number, start: number, end: number): void {
    requireFeature(id <= tokenIdMax, `token ids above ${tokenIdMax}`);
    if (2 * id >= this.#ranges.length) this.#makeRoomFor(id);
    requireFeature(this.#ranges[2 * id] === -1, "a vocabulary that gives an id twice");
    this.#ranges[2 * id] = start;
    this.#ranges[2 * id + 1] = end;
  }

  /**
   * Id of the token with the bytes from `start` to `end`, or -1.
   *
   * @param hash of these bytes
   */
  find(bytes: Uint8Array, start: number, end: number, hash: number): number {
    const slots = this.#slots;
    const mask = this.#slotMask;
    for (let index = hash & mask; ; index = (index + 1) & mask) {
      const slot = slotFields * index;
      const id = (slots[slot + 1] as number) - 1;
      if (id < 0) return -1;
      if (slots[slot] === hash && this.equals(id, bytes, start, end)) return id;
    }
  }

  /** Whether `id` is a token with the bytes from `start` to `end`. */
  equals(id: number, bytes: Uint8Array, start: number, end: number): boolean {
    const ownStart = this.#ranges[2 * id] ?? -1;
    const length = end - start;
    if (ownStart < 0 || (this.#ranges[2 * id + 1] as number) - ownStart !== length) return false;
    const own = this.#bytes;
    for (let index = 0; index < length; index += 1) {
      if (own[ownStart + index] !== bytes[start + index]) return false;
    }
    return true;
  }

  #makeRoomFor(id: number): void {
    const count = Math.max(id + 1, Math.ceil(0.625 * this.#ranges.length));
    const ranges = new Int32Array(2 * count).fill(-1);
    ranges.set(this.#ranges);
    this.#ranges = ranges;
  }
}
