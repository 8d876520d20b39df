/**
 * JSON strings for the span scanner, resumable at any byte.
 *
 * Contract   as strict as Python's json.loads: no control character, only its escapes, four hex
 *            digits after \u; lone surrogates are fine, and bytes that are not UTF-8 pass.
 * Why so     a string of 100 MiB is crossed by two searches for a byte and one look for control
 *            characters, which takes the longest of the three and which the sink can spare us.
 */
import type { SpanStream } from "./span-stream.ts";

const quote = 0x22;
const backslash = 0x5c;
const firstPrintable = 0x20;

/** Bytes looked at one by one before the byte searches, which cost a call, take over. */
const shortStringBytes = 64;

const noEscape = 0;
const afterBackslash = 5;
// 1 to 4: so many hex digits are still to come.

const simpleEscapes = new Uint8Array(256);
for (const letter of '"\\/bfnrt') simpleEscapes[letter.charCodeAt(0)] = 1;

const hexDigits = new Uint8Array(256);
for (const digit of "0123456789abcdefABCDEF") hexDigits[digit.charCodeAt(0)] = 1;

export class StringScanner {
  /** Whether the closing quote has been passed. */
  closed = false;
  readonly #stream: SpanStream;
  #escape = noEscape;
  /** Next quote and backslash of the chunk at or after the last search; -1 when to be searched. */
  #nextQuote = -1;
  #nextBackslash = -1;

  constructor(stream: SpanStream) {
    this.#stream = stream;
  }

  /** After the opening quote. */
  begin(): void {
    this.closed = false;
    this.#escape = noEscape;
  }

  startChunk(): void {
    this.#nextQuote = -1;
    this.#nextBackslash = -1;
  }

  /** Reads on at `at`; returns the index after the last byte taken. */
  scan(at: number): number {
    const chunk = this.#stream.chunk;
    let index = at;
    while (index < chunk.length) {
      if (this.#escape !== noEscape) {
        index = this.#scanEscape(index);
        continue;
      }
      index = this.#scanPlain(index);
      if (index === chunk.length) break;
      if (chunk[index] === quote) {
        this.closed = true;
        return index + 1;
      }
      this.#escape = afterBackslash;
      index += 1;
    }
    return index;
  }

  /** Index of the quote or backslash that ends the plain text, or the chunk's length. */
  #scanPlain(at: number): number {
    const chunk = this.#stream.chunk;
    const shortEnd = Math.min(chunk.length, at + shortStringBytes);
    let index = at;
    for (; index < shortEnd; index += 1) {
      const byte = chunk[index] as number;
      if (byte === quote || byte === backslash) return index;
      if (byte < firstPrintable) this.#failControl(index);
    }
    return index === chunk.length ? index : this.#scanLongPlain(index);
  }

  #scanLongPlain(at: number): number {
    const stream = this.#stream;
    const end = this.#plainEnd(at);
    let unchecked = at;
    if (stream.inPayload) {
      stream.passTo(at);
      unchecked += stream.passTo(end);
    }
    const control = indexOfControl(stream.chunk, unchecked, end);
    if (control !== -1) this.#failControl(control);
    return end;
  }

  /** Each byte of a chunk is searched once for each of the two, however many strings it holds. */
  #plainEnd(at: number): number {
    if (this.#nextQuote < at) this.#nextQuote = this.#search(quote, at);
    if (this.#nextBackslash < at) this.#nextBackslash = this.#search(backslash, at);
    return Math.min(this.#nextQuote, this.#nextBackslash);
  }

  #search(byte: number, from: number): number {
    const chunk = this.#stream.chunk;
    const index = chunk.indexOf(byte, from);
    return index === -1 ? chunk.length : index;
  }

  #scanEscape(at: number): number {
    const byte = this.#stream.chunk[at] as number;
    if (this.#escape === afterBackslash) {
      if (byte === 0x75) this.#escape = 4;
      else if (simpleEscapes[byte] === 1) this.#escape = noEscape;
      else this.#stream.fail(at, "an escape character");
    } else {
      if (hexDigits[byte] !== 1) this.#stream.fail(at, "a hexadecimal digit");
      this.#escape -= 1;
    }
    return at + 1;
  }

  #failControl(at: number): never {
    this.#stream.fail(at, "no control character in a string");
  }
}

/** Index of the first byte below 0x20 in `from` .. `to`, or -1. */
export function indexOfControl(bytes: Uint8Array, from: number, to: number): number {
  let index = from;
  // Up to the first word boundary of the underlying buffer, then words, then the rest.
  const aligned = Math.min(to, from + ((4 - ((bytes.byteOffset + from) & 3)) & 3));
  for (; index < aligned; index += 1) {
    if ((bytes[index] as number) < firstPrintable) return index;
  }
  const wordCount = (to - index) >> 2;
  if (wordCount >= 16) {
    const words = new Int32Array(bytes.buffer, bytes.byteOffset + index, wordCount);
    index += 4 * plainWords(words);
  }
  for (; index < to; index += 1) {
    if ((bytes[index] as number) < firstPrintable) return index;
  }
  return -1;
}

/**
 * Counts leading words without a byte below 0x20, in steps of four. The subtraction borrows into a
 * byte's top bit exactly if that byte or a lower one was too small; bytes from 0x80 are masked out.
 */
function plainWords(words: Int32Array): number {
  const last = words.length - 3;
  let index = 0;
  for (; index < last; index += 4) {
    const first = words[index] as number;
    const second = words[index + 1] as number;
    const third = words[index + 2] as number;
    const fourth = words[index + 3] as number;
    const small =
      (((first - 0x20202020) | 0) & ~first) |
      (((second - 0x20202020) | 0) & ~second) |
      (((third - 0x20202020) | 0) & ~third) |
      (((fourth - 0x20202020) | 0) & ~fourth);
    if ((small & 0x80808080) !== 0) break;
  }
  return index;
}
