/**
 * Walks through the JSON of a tokenizer definition as bytes. Small values are parsed as usual; the
 * vocabulary and the merges, nearly all of its megabytes, are read in place (token-reader.ts),
 * which takes less time and no memory for strings.
 *
 * Contract   strict where it reads; what it skips is parsed or was skipped as a whole value.
 * Reports    UnsupportedFeatureError on anything that is not the JSON it expects.
 */
import { UnsupportedFeatureError } from "./unsupported-feature.ts";

export const quote = 0x22;
export const backslash = 0x5c;
const comma = 0x2c;
const colon = 0x3a;
const openingBrace = 0x7b;
const closingBrace = 0x7d;
const openingBracket = 0x5b;
const closingBracket = 0x5d;

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

export class JsonCursor {
  readonly bytes: Uint8Array;
  /** Of the next byte that has not been read. */
  index = 0;

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
  }

  /** Reads an object; `readValue` is called behind each name and must read the value. */
  readObject(readValue: (name: string) => void): void {
    const names = new Set<string>();
    for (let isMember = this.enterObject(); isMember; isMember = this.nextMember()) {
      const name = this.readString();
      if (names.has(name)) this.fail(`a repeated member "${name}"`);
      names.add(name);
      this.enterValue();
      readValue(name);
    }
  }

  /** Moves to the first name of the object that begins here; false when there is none. */
  enterObject(): boolean {
    return this.#enter(openingBrace, closingBrace);
  }

  /** Moves from a name to its value. */
  enterValue(): void {
    this.#expect(colon);
    this.skipSpace();
  }

  /** Moves from behind a value to the next name; false, and behind the object, at its end. */
  nextMember(): boolean {
    return this.#next(closingBrace);
  }

  /** Moves to the first element of the list that begins here; false when there is none. */
  enterArray(): boolean {
    return this.#enter(openingBracket, closingBracket);
  }

  /** Moves from behind an element to the next; false, and behind the list, at its end. */
  nextElement(): boolean {
    return this.#next(closingBracket);
  }

  readString(): string {
    const start = this.index;
    this.#skipString();
    const value = this.#parse(start);
    if (typeof value !== "string") this.fail("no string");
    return value;
  }

  /** Any value, parsed. */
  readValue(): unknown {
    const start = this.index;
    this.skipValue();
    return this.#parse(start);
  }

  /** Moves behind the value that begins here. */
  skipValue(): void {
    let depth = 0;
    do {
      const byte = this.bytes[this.index];
      if (byte === quote) {
        this.#skipString();
        continue;
      }
      if (byte === openingBrace || byte === openingBracket) depth += 1;
      else if (byte === closingBrace || byte === closingBracket) depth -= 1;
      else if (byte === undefined) this.fail("no end");
      else if (depth === 0) {
        this.#skipScalar();
        return;
      }
      this.index += 1;
    } while (depth > 0);
  }

  get isAtObject(): boolean {
    return this.bytes[this.index] === openingBrace;
  }

  get isAtArray(): boolean {
    return this.bytes[this.index] === openingBracket;
  }

  skipSpace(): void {
    const { bytes } = this;
    let { index } = this;
    for (;;) {
      const byte = bytes[index];
      if (byte !== 0x20 && byte !== 0x0a && byte !== 0x0d && byte !== 0x09) break;
      index += 1;
    }
    this.index = index;
  }

  requireEnd(): void {
    this.skipSpace();
    if (this.index !== this.bytes.length) this.fail("more text behind the definition");
  }

  fail(found: string): never {
    throw new UnsupportedFeatureError(`JSON with ${found} at byte ${this.index}`);
  }

  #enter(opening: number, closing: number): boolean {
    this.#expect(opening);
    this.skipSpace();
    if (this.bytes[this.index] !== closing) return true;
    this.index += 1;
    return false;
  }

  #next(closing: number): boolean {
    this.skipSpace();
    const byte = this.bytes[this.index];
    if (byte !== comma && byte !== closing) this.fail("no comma between members");
    this.index += 1;
    if (byte === closing) return false;
    this.skipSpace();
    return true;
  }

  #expect(byte: number): void {
    this.skipSpace();
    if (this.bytes[this.index] !== byte) this.fail(`no "${String.fromCharCode(byte)}"`);
    this.index += 1;
  }

  #skipString(): void {
    if (this.bytes[this.index] !== quote) this.fail("no string");
    this.index += 1;
    for (;;) {
      const byte = this.bytes[this.index];
      if (byte === undefined) this.fail("no end of a string");
      this.index += byte === backslash ? 2 : 1;
      if (byte === quote) return;
    }
  }

  /** A number or a literal. */
  #skipScalar(): void {
    const start = this.index;
    for (;;) {
      const byte = this.bytes[this.index] ?? comma;
      if (byte === comma || byte === closingBrace || byte === closingBracket || byte <= 0x20) break;
      this.index += 1;
    }
    if (this.index === start) this.fail("no value");
  }

  #parse(start: number): unknown {
    try {
      return JSON.parse(utf8.decode(this.bytes.subarray(start, this.index)));
    } catch {
      return this.fail("a broken value");
    }
  }
}
