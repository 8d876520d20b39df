/**
 * Reads tokens of a byte-level vocabulary out of JSON: strings of the byte alphabet, as the bytes
 * that they stand for.
 *
 * Contract   no allocation for a token: it is in `bytes` until the next one is read.
 */
import { alphabetBytes, bytesOfCharacters } from "./byte-alphabet.ts";
import { backslash, type JsonCursor, quote } from "./json-cursor.ts";
import { requireFeature } from "./unsupported-feature.ts";

/** Bytes of one token or merge: the longest known vocabularies have runs of 256 spaces. */
const tokenBytesMax = 65_536;

const space = 0x20;
const solidus = 0x2f;

/** First bytes of two-byte UTF-8 that the alphabet needs: U+0080 to U+01FF. */
const twoByteFirst = 0xc2;
const twoByteLast = 0xc7;

export class TokenReader {
  readonly bytes = new Uint8Array(tokenBytesMax);
  /** Bytes that hold tokens. */
  length = 0;
  readonly #json: JsonCursor;

  constructor(json: JsonCursor) {
    this.#json = json;
  }

  /**
   * Reads one string.
   *
   * @returns null when its bytes are in `bytes`; the text itself when it is not of the alphabet
   */
  readToken(): string | null {
    this.length = 0;
    return this.#readString();
  }

  /**
   * Reads a merge: two strings in a list, or one string with a space between the two.
   *
   * @returns the number of bytes of the first token; the second fills the rest of `bytes`
   */
  readMerge(): number {
    this.length = 0;
    return this.#json.isAtArray ? this.#readMergeList() : this.#readMergeString();
  }

  #readMergeList(): number {
    let count = 0;
    let firstLength = 0;
    this.#json.readArray(() => {
      requireFeature(this.#readString() === null, mergeOutsideAlphabet);
      count += 1;
      if (count === 1) firstLength = this.length;
    });
    requireFeature(count === 2, "a merge of other than two tokens");
    return firstLength;
  }

  #readMergeString(): number {
    const start = this.#json.index + 1;
    requireFeature(this.#readAlphabet(space), mergeOutsideAlphabet);
    // The library leaves such lines out.
    const isVersion = versionMark.every((byte, index) => this.#json.bytes[start + index] === byte);
    requireFeature(!isVersion, "a merge that begins with #version");
    const firstLength = this.length;
    // The space stands where the second token's quote would be.
    this.#json.index -= 1;
    requireFeature(this.#readAlphabet(quote), mergeOutsideAlphabet);
    return firstLength;
  }

  /** Appends the bytes of a string to `bytes`. */
  #readString(): string | null {
    if (this.#readAlphabet(quote)) return null;
    const text = this.#json.readString();
    const bytes = bytesOfCharacters(text);
    if (bytes === null) return text;
    requireFeature(this.length + bytes.length <= tokenBytesMax, "a token of such a length");
    this.bytes.set(bytes, this.length);
    this.length += bytes.length;
    return null;
  }

  /**
   * Appends the bytes of the string that begins here, up to `end`. On anything but characters of
   * the alphabet and plain escapes, nothing is appended and the cursor stays.
   */
  #readAlphabet(end: number): boolean {
    const source = this.#json.bytes;
    const target = this.bytes;
    let index = this.#json.index + 1;
    let length = this.length;
    for (;;) {
      let character = source[index] as number;
      index += 1;
      if (character === end) break;
      if (character === quote) return false;
      if (character === backslash) {
        character = source[index] as number;
        index += 1;
        if (character !== quote && character !== backslash && character !== solidus) return false;
      } else if (character >= twoByteFirst && character <= twoByteLast) {
        const continuation = source[index] as number;
        index += 1;
        if ((continuation & 0xc0) !== 0x80) return false;
        character = ((character & 0x1f) << 6) | (continuation & 0x3f);
      }
      const byte = alphabetBytes[character] ?? -1;
      if (byte < 0 || length === tokenBytesMax) return false;
      target[length] = byte;
      length += 1;
    }
    this.#json.index = index;
    this.length = length;
    return true;
  }
}

const mergeOutsideAlphabet = "a merge of tokens that are not of the byte alphabet";
const versionMark = [...new TextEncoder().encode("#version")];
