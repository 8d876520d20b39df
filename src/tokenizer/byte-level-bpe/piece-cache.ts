/**
 * Remembers the tokens of pieces: most words of a text were seen before. Keys are copied bytes in
 * fixed arrays, so that nothing keeps a text alive and no garbage arises.
 *
 * Contract   lossy: when an array is full everything is forgotten. 2.5 MB at most.
 */

/** Slots hold hash, key start, key length * 2^16 + token count, tokens start (or the one token). */
const slotFields = 4;
const slotCount = 2 ** 15;
const entriesMax = slotCount / 2;
const keyBytes = 2 ** 19;
const tokensMax = 2 ** 17;

/** Bytes of a piece that is worth keeping. */
export const cachedPieceBytesMax = 64;

export class PieceCache {
  readonly #slots = new Int32Array(slotFields * slotCount);
  readonly #keys = new Uint8Array(keyBytes);
  readonly #tokens = new Int32Array(tokensMax);
  #entryCount = 0;
  #keysLength = 0;
  #tokensLength = 0;

  /**
   * Appends the tokens of a piece to `target`.
   *
   * @param hash of the piece's bytes
   * @returns false when the piece is not known
   */
  append(bytes: Uint8Array, start: number, end: number, hash: number, target: number[]): boolean {
    const slots = this.#slots;
    const length = end - start;
    for (let index = hash & (slotCount - 1); ; index = (index + 1) & (slotCount - 1)) {
      const slot = slotFields * index;
      const sizes = slots[slot + 2] as number;
      if (sizes === 0) return false;
      if (slots[slot] !== hash || sizes >>> 16 !== length) continue;
      if (!this.#keyEquals(slots[slot + 1] as number, bytes, start, length)) continue;
      const count = sizes & 0xffff;
      const first = slots[slot + 3] as number;
      if (count === 1) {
        target.push(first);
        return true;
      }
      for (let token = 0; token < count; token += 1) {
        target.push(this.#tokens[first + token] as number);
      }
      return true;
    }
  }

  /** Remembers a piece that is not known and not longer than `cachedPieceBytesMax`. */
  add(
    bytes: Uint8Array,
    start: number,
    end: number,
    hash: number,
    tokens: Int32Array,
    count: number,
  ): void {
    const length = end - start;
    const isFull =
      this.#entryCount === entriesMax ||
      this.#keysLength + length > keyBytes ||
      this.#tokensLength + count > tokensMax;
    if (isFull) this.#clear();
    const slots = this.#slots;
    let index = hash & (slotCount - 1);
    while (slots[slotFields * index + 2] !== 0) index = (index + 1) & (slotCount - 1);
    const slot = slotFields * index;
    slots[slot] = hash;
    slots[slot + 1] = this.#keysLength;
    slots[slot + 2] = length * 0x1_0000 + count;
    for (let offset = 0; offset < length; offset += 1) {
      this.#keys[this.#keysLength + offset] = bytes[start + offset] as number;
    }
    this.#keysLength += length;
    this.#entryCount += 1;
    if (count === 1) {
      slots[slot + 3] = tokens[0] as number;
      return;
    }
    slots[slot + 3] = this.#tokensLength;
    for (let token = 0; token < count; token += 1) {
      this.#tokens[this.#tokensLength + token] = tokens[token] as number;
    }
    this.#tokensLength += count;
  }

  #keyEquals(keyStart: number, bytes: Uint8Array, start: number, length: number): boolean {
    const keys = this.#keys;
    for (let offset = 0; offset < length; offset += 1) {
      if (keys[keyStart + offset] !== bytes[start + offset]) return false;
    }
    return true;
  }

  #clear(): void {
    this.#slots.fill(0);
    this.#entryCount = 0;
    this.#keysLength = 0;
    this.#tokensLength = 0;
  }
}
