/**
 * JSON text to the values of values.ts and back: nothing that Python's json.loads would keep is
 * lost.
 *
 * Contract   accepts what json.loads accepts, NaN and infinities included, and reports the rest as
 *            a `JsonSyntaxError` with json.loads' words and place; time is linear in the text, and
 *            nesting is bounded, so no text overflows the stack.
 * Lifetime   strings may share memory with the text: a kept value can keep the whole text alive.
 * Not here   bytes: whoever decodes them decides about invalid UTF-8 and byte-order marks.
 */
import { integerDigitsMax, jsonNestingMax } from "../limits.ts";
import type { CutItems } from "./known-items.ts";
import {
  backslash,
  braceClose,
  braceOpen,
  bracketClose,
  bracketOpen,
  colon,
  comma,
  describePlace,
  fractionEnd,
  integerEnd,
  isDigit,
  lineFeed,
  minus,
  quote,
  space,
  stringFault,
} from "./lossless-lexical.ts";
import { pythonJson } from "./python-json.ts";
import { JsonFloat, type JsonObject, type JsonValue } from "./values.ts";

/** Where one member of the outermost object stands, as UTF-16 indices into the text. */
export interface MemberSpan {
  readonly name: string;
  /** Index of the opening quote of the name. */
  readonly start: number;
  readonly valueStart: number;
  /** Index after the last character of the value. */
  readonly end: number;
}

/** The text is no JSON; `message` says what was expected and where. */
export class JsonSyntaxError extends Error {
  override readonly name = "JsonSyntaxError";
  /** UTF-16 index into the text. */
  readonly index: number;

  constructor(reason: string, text: string, index: number) {
    super(`${reason}: ${describePlace(text, index)}`);
    this.index = index;
  }
}

/**
 * @param options.cut items of one member's array, which are not in the text
 * @param options.members collects the members of the outermost object in the order they stand in
 *   the text, duplicates included; it stays empty when the outermost value is no object.
 * @throws JsonSyntaxError
 */
export function parseJson(
  text: string,
  options: { members?: MemberSpan[]; cut?: CutItems } = {},
): JsonValue {
  return new Parser(text).parse(options);
}

/** json.dumps(value, ensure_ascii=False, separators=(",", ":")). */
export function writeJson(value: JsonValue): string {
  return pythonJson(value, { separators: [",", ":"] });
}

/** One value, as in Python, whose containers take it as equal to itself. */
const notANumber = new JsonFloat(Number.NaN);

const tab = 0x09;
const carriageReturn = 0x0d;

/** Digits of the longest integers that are safe whatever they are. */
const safeDigits = 15;

class Parser {
  readonly #text: string;
  #index = 0;
  #depth = 0;

  constructor(text: string) {
    this.#text = text;
  }

  parse({ members, cut }: { members?: MemberSpan[]; cut?: CutItems }): JsonValue {
    this.#skipSpace();
    const value =
      members !== undefined && this.#text.charCodeAt(this.#index) === braceOpen
        ? this.#object(members, cut)
        : this.#value();
    this.#skipSpace();
    if (this.#index !== this.#text.length) throw this.#error("Extra data", this.#index);
    return value;
  }

  #error(reason: string, index: number): JsonSyntaxError {
    return new JsonSyntaxError(reason, this.#text, index);
  }

  #stringError(start: number): JsonSyntaxError {
    const { reason, index } = stringFault(this.#text, start);
    return this.#error(reason, index);
  }

  #skipSpace(): void {
    const text = this.#text;
    for (;;) {
      const code = text.charCodeAt(this.#index);
      if (code > space) return;
      if (code !== space && code !== lineFeed && code !== carriageReturn && code !== tab) return;
      this.#index += 1;
    }
  }

  #value(): JsonValue {
    switch (this.#text.charCodeAt(this.#index)) {
      case quote:
        return this.#string();
      case braceOpen:
        return this.#object(undefined);
      case bracketOpen:
        return this.#array();
      case 0x74: // t
        return this.#literal("true", true);
      case 0x66: // f
        return this.#literal("false", false);
      case 0x6e: // n
        return this.#literal("null", null);
      case 0x4e: // N
        return this.#literal("NaN", notANumber);
      case 0x49: // I
        return this.#literal("Infinity", new JsonFloat(Number.POSITIVE_INFINITY));
      default:
        return this.#number();
    }
  }

  #literal(word: string, value: JsonValue): JsonValue {
    if (!this.#text.startsWith(word, this.#index)) {
      throw this.#error("Expecting value", this.#index);
    }
    this.#index += word.length;
    return value;
  }

  #enter(): void {
    this.#depth += 1;
    if (this.#depth > jsonNestingMax) {
      throw this.#error(`Expecting at most ${jsonNestingMax} nested values`, this.#index);
    }
    this.#index += 1;
    this.#skipSpace();
  }

  #object(members: MemberSpan[] | undefined, cut?: CutItems): JsonObject {
    const text = this.#text;
    const object: JsonObject = new Map();
    this.#enter();
    if (text.charCodeAt(this.#index) !== braceClose) {
      for (;;) {
        const start = this.#index;
        if (text.charCodeAt(start) !== quote) {
          throw this.#error("Expecting property name enclosed in double quotes", start);
        }
        const name = this.#string();
        this.#skipSpace();
        if (text.charCodeAt(this.#index) !== colon) {
          throw this.#error("Expecting ':' delimiter", this.#index);
        }
        this.#index += 1;
        this.#skipSpace();
        const valueStart = this.#index;
        object.set(name, cut?.member === name ? this.#cutMember(cut) : this.#value());
        members?.push({ name, start, valueStart, end: this.#index });
        if (this.#atEnd(braceClose)) break;
      }
    }
    this.#index += 1;
    this.#depth -= 1;
    return object;
  }

  #array(): JsonValue[] {
    const array: JsonValue[] = [];
    this.#enter();
    if (this.#text.charCodeAt(this.#index) !== bracketClose) {
      do array.push(this.#value());
      while (!this.#atEnd(bracketClose));
    }
    this.#index += 1;
    this.#depth -= 1;
    return array;
  }

  /** The array goes on behind its cut items, unless it stands elsewhere: the last one counts. */
  #cutMember(cut: CutItems): JsonValue {
    cut.isTaken = this.#index === cut.index;
    if (!cut.isTaken) return this.#value();
    const array = [...cut.items];
    this.#index += 1;
    this.#depth += 1;
    while (!this.#atEnd(bracketClose)) array.push(this.#value());
    this.#depth -= 1;
    this.#index += 1;
    return array;
  }

  /** After an item: true at the closing bracket, false when past a comma and before the next. */
  #atEnd(close: number): boolean {
    this.#skipSpace();
    const code = this.#text.charCodeAt(this.#index);
    if (code === close) return true;
    if (code !== comma) throw this.#error("Expecting ',' delimiter", this.#index);
    this.#index += 1;
    this.#skipSpace();
    return false;
  }

  #string(): string {
    const text = this.#text;
    const start = this.#index;
    let index = start + 1;
    for (;;) {
      const code = text.charCodeAt(index);
      if (code === quote) {
        this.#index = index + 1;
        return text.slice(start + 1, index);
      }
      if (code === backslash) return this.#escapedString(index);
      // charCodeAt gives NaN at the end of the text, which fails this comparison.
      if (!(code >= space)) throw this.#stringError(start);
      index += 1;
    }
  }

  /** Lets the runtime's own parser undo the escapes; it takes the same ones as Python's. */
  #escapedString(firstEscape: number): string {
    const text = this.#text;
    const start = this.#index;
    let index = firstEscape;
    for (;;) {
      const code = text.charCodeAt(index);
      if (code === quote) break;
      if (!(code >= space)) throw this.#stringError(start);
      index += code === backslash ? 2 : 1;
    }
    try {
      const value: string = JSON.parse(text.slice(start, index + 1));
      this.#index = index + 1;
      return value;
    } catch {
      throw this.#stringError(start);
    }
  }

  #number(): JsonValue {
    const text = this.#text;
    const start = this.#index;
    const first = text.charCodeAt(start) === minus ? start + 1 : start;
    if (!isDigit(text.charCodeAt(first))) {
      if (!text.startsWith("-Infinity", start)) throw this.#error("Expecting value", start);
      this.#index = start + "-Infinity".length;
      return new JsonFloat(Number.NEGATIVE_INFINITY);
    }
    const end = integerEnd(text, first);
    this.#index = fractionEnd(text, end);
    const written = text.slice(start, this.#index);
    if (this.#index !== end) return new JsonFloat(Number(written));
    const value = Number(written);
    // Python has no negative zero among its integers.
    if (written.length <= safeDigits || Number.isSafeInteger(value)) return value === 0 ? 0 : value;
    if (written.length > integerDigitsMax) {
      throw this.#error(`Expecting an integer of at most ${integerDigitsMax} digits`, start);
    }
    return BigInt(written);
  }
}
