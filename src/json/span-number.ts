/**
 * JSON numbers for the span scanner, resumable at any byte.
 *
 * Contract   the grammar of RFC 8259: no leading zeros, no bare point, digits after an exponent.
 *            It begins at a digit or a minus sign only; -Infinity is handed back to the caller.
 */
import type { SpanStream } from "./span-stream.ts";

const afterMinus = 0;
const afterZero = 1;
const inInteger = 2;
const afterPoint = 3;
const inFraction = 4;
const afterExponentMark = 5;
const afterExponentSign = 6;
const inExponent = 7;

const zero = 0x30;
const nine = 0x39;

export class NumberScanner {
  /** Whether the number has ended: the next byte does not belong to it. */
  closed = false;
  /** Whether what stands after a minus sign is the I of -Infinity, to be read by the caller. */
  isNegativeInfinity = false;
  readonly #stream: SpanStream;
  #state = afterMinus;

  constructor(stream: SpanStream) {
    this.#stream = stream;
  }

  /** Before the first byte of a number, which is a minus sign or a digit. */
  begin(first: number): void {
    this.closed = false;
    this.isNegativeInfinity = false;
    if (first === 0x2d) this.#state = afterMinus;
    else this.#state = first === zero ? afterZero : inInteger;
  }

  /** Reads on at `at`, after the first byte; returns the index after the last byte taken. */
  scan(at: number): number {
    const chunk = this.#stream.chunk;
    let index = at;
    while (index < chunk.length) {
      const byte = chunk[index] as number;
      const isDigit = byte >= zero && byte <= nine;
      if (isDigit && this.#state >= inInteger) {
        index = this.#scanDigits(index);
        continue;
      }
      if (!(isDigit ? this.#firstDigit(byte) : this.#other(byte))) {
        this.#end(index, byte);
        return index;
      }
      index += 1;
    }
    return index;
  }

  /** The end of the document ends a number as well. */
  endDocument(): void {
    this.#end(0, -1);
  }

  #scanDigits(at: number): number {
    if (this.#state === afterPoint) this.#state = inFraction;
    else if (this.#state === afterExponentMark || this.#state === afterExponentSign) {
      this.#state = inExponent;
    }
    return digitsEnd(this.#stream.chunk, at + 1);
  }

  /** A digit where a leading zero matters. */
  #firstDigit(byte: number): boolean {
    if (this.#state === afterZero) return false;
    this.#state = byte === zero ? afterZero : inInteger;
    return true;
  }

  #other(byte: number): boolean {
    if (byte === 0x2e && (this.#state === afterZero || this.#state === inInteger)) {
      this.#state = afterPoint;
      return true;
    }
    if ((byte === 0x65 || byte === 0x45) && this.#isComplete() && this.#state !== inExponent) {
      this.#state = afterExponentMark;
      return true;
    }
    if ((byte === 0x2b || byte === 0x2d) && this.#state === afterExponentMark) {
      this.#state = afterExponentSign;
      return true;
    }
    return false;
  }

  #end(at: number, byte: number): void {
    this.closed = true;
    if (this.#isComplete()) return;
    this.isNegativeInfinity = this.#state === afterMinus && byte === 0x49;
    if (!this.isNegativeInfinity) this.#stream.fail(at, "a digit");
  }

  #isComplete(): boolean {
    const state = this.#state;
    return (
      state === afterZero || state === inInteger || state === inFraction || state === inExponent
    );
  }
}

/**
 * The end of a run of array elements that are integers, not negative and without white space, the
 * last of which is followed by a comma or bracket in the same chunk; -1 when there is none. Nested
 * payloads are such runs, and here they need no state.
 *
 * @param at index of the first digit
 */
export function integersEnd(chunk: Uint8Array, at: number): number {
  let end = -1;
  let index = at;
  for (;;) {
    const first = chunk[index] as number;
    if (!(first >= zero && first <= nine)) return end;
    index += 1;
    if (first !== zero) index = digitsEnd(chunk, index);
    const next = chunk[index];
    if (next === 0x5d) return index;
    if (next !== 0x2c) return end;
    end = index;
    index += 1;
  }
}

function digitsEnd(chunk: Uint8Array, at: number): number {
  let index = at;
  while (index < chunk.length) {
    const byte = chunk[index] as number;
    if (byte < zero || byte > nine) break;
    index += 1;
  }
  return index;
}
