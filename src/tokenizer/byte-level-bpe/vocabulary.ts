/**
 * The tokens of a model: bytes to id and id to bytes, in typed arrays. A vocabulary of 150,000
 * tokens takes 5 MB and no garbage collector's time.
 *
 * Contract   filled once, then read; ids and tokens are unique.
 */
import { requireFeature } from "./unsupported-feature.ts";

/** Ids are indices of arrays; known vocabularies end below 300,000. */
const tokenIdMax = 2 ** 21;

/** Of the 32 bits that stand for a token in the hash table. */
const fnvOffset = 0x811c9dc5 | 0;
const fnvPrime = 0x01000193;

/** A slot holds a hash and an id plus one; zero is an empty slot. */
const slotFields = 2;
const slotLoadMax = 0.6;

/** FNV-1a of a range of bytes. */
export function hashBytes(bytes: Uint8Array, start: number, end: number): number {
  let hash = fnvOffset;
  for (let index = start; index < end; index += 1) {
    hash = Math.imul(hash ^ (bytes[index] as number), fnvPrime);
  }
  return hash;
}

export class Vocabulary {
  /** The bytes of all tokens, one after another. */
  #bytes = new Uint8Array(2 ** 20);
  #length = 0;
  /** By id: where its bytes start and end. An id without a token has -1. */
  #starts = new Int32Array(2 ** 17).fill(-1);
  #ends = new Int32Array(2 ** 17);
  #slots = new Int32Array(slotFields * 2 ** 18);
  #slotMask = 2 ** 18 - 1;
  #indexed = 0;

  /** The bytes that `start` and `end` point into. */
  get bytes(): Uint8Array {
    return this.#bytes;
  }

  /** Index of the first byte of a token; -1 when there is no such id. */
  start(id: number): number {
    return this.#starts[id] ?? -1;
  }

  /** Index behind the last byte of a token. */
  end(id: number): number {
    return this.#ends[id] ?? -1;
  }

  /** Adds a token that is found by its bytes. */
  add(id: number, bytes: Uint8Array, length: number): void {
    const hash = hashBytes(bytes, 0, length);
    requireFeature(this.#find(bytes, 0, length, hash) < 0, "a vocabulary that repeats a token");
    this.addHidden(id, bytes, length);
    this.#indexed += 1;
    if (this.#indexed > slotLoadMax * (this.#slotMask + 1)) this.#growSlots();
    this.#occupy(hash, id);
  }

  /** Adds bytes that only their id leads to. */
  addHidden(id: number, bytes: Uint8Array, length: number): void {
    requireFeature(id <= tokenIdMax, `token ids above ${tokenIdMax}`);
    while (id >= this.#starts.length) this.#growIds();
    requireFeature(this.start(id) < 0, "a vocabulary that gives an id twice");
    while (this.#length + length > this.#bytes.length) {
      const larger = new Uint8Array(2 * this.#bytes.length);
      larger.set(this.#bytes);
      this.#bytes = larger;
    }
    const target = this.#bytes;
    for (let index = 0; index < length; index += 1) {
      target[this.#length + index] = bytes[index] as number;
    }
    this.#starts[id] = this.#length;
    this.#length += length;
    this.#ends[id] = this.#length;
  }

  /** Id of the token with these bytes, or -1. */
  find(bytes: Uint8Array, start: number, end: number): number {
    return this.#find(bytes, start, end, hashBytes(bytes, start, end));
  }

  #find(bytes: Uint8Array, start: number, end: number, hash: number): number {
    const slots = this.#slots;
    for (let slot = hash & this.#slotMask; ; slot = (slot + 1) & this.#slotMask) {
      const id = (slots[slotFields * slot + 1] as number) - 1;
      if (id < 0) return -1;
      if (slots[slotFields * slot] === hash && this.#equals(id, bytes, start, end)) return id;
    }
  }

  #equals(id: number, bytes: Uint8Array, start: number, end: number): boolean {
    const own = this.#bytes;
    const ownStart = this.#starts[id] as number;
    const length = end - start;
    if ((this.#ends[id] as number) - ownStart !== length) return false;
    for (let index = 0; index < length; index += 1) {
      if (own[ownStart + index] !== bytes[start + index]) return false;
    }
    return true;
  }

  #occupy(hash: number, id: number): void {
    const slots = this.#slots;
    let slot = hash & this.#slotMask;
    while (slots[slotFields * slot + 1] !== 0) slot = (slot + 1) & this.#slotMask;
    slots[slotFields * slot] = hash;
    slots[slotFields * slot + 1] = id + 1;
  }

  #growSlots(): void {
    const previous = this.#slots;
    this.#slots = new Int32Array(2 * previous.length);
    this.#slotMask = 2 * this.#slotMask + 1;
    for (let index = 0; index < previous.length; index += slotFields) {
      const id = (previous[index + 1] as number) - 1;
      if (id >= 0) this.#occupy(previous[index] as number, id);
    }
  }

  #growIds(): void {
    const count = 2 * this.#starts.length;
    const starts = new Int32Array(count).fill(-1);
    starts.set(this.#starts);
    const ends = new Int32Array(count);
    ends.set(this.#ends);
    this.#starts = starts;
    this.#ends = ends;
  }
}
