/**
 * Tool call arguments in a form in which equivalent ones are equal: a text.
 *
 * The order of keys and the spelling of numbers and strings do not count; numbers are exact
 * decimals of any size, so 1, 1.0 and 10e-1 are one value and 1.00000000000000000001 is another.
 * null, "" and "{}" are the empty object.
 *
 * Contract   null for what has no such form: text that is no JSON object, a key that stands twice,
 *            NaN and infinities, numbers beyond the range of Python's Decimal, too deep nesting.
 *            The form of JSON text is made from the text itself, since a double would round.
 */
import { floatRepr } from "../json/python-number.ts";
import { JsonFloat, type JsonValue } from "../json/values.ts";
import { jsonNestingMax } from "../limits.ts";

const emptyObject = "{}";

export function canonicalArguments(value: JsonValue): string | null {
  if (value === null || value === "") return emptyObject;
  try {
    if (typeof value === "string") return new TextCanonicalizer(value).object();
    return value instanceof Map ? canonicalValue(value) : null;
  } catch (error) {
    if (error instanceof NotCanonical) return null;
    throw error;
  }
}

class NotCanonical extends Error {
  override readonly name = "NotCanonical";
}

function canonicalValue(value: JsonValue): string {
  if (typeof value === "string") return JSON.stringify(value);
  if (typeof value === "number" || typeof value === "bigint") return canonicalNumber(`${value}`);
  if (value === null || typeof value === "boolean") return String(value);
  if (Array.isArray(value)) return `[${value.map(canonicalValue).join(",")}]`;
  if (value instanceof JsonFloat) {
    if (!Number.isFinite(value.value)) throw new NotCanonical();
    return canonicalNumber(floatRepr(value.value));
  }
  return canonicalObject(
    Array.from(value, ([name, member]) => [name, canonicalValue(member)] as const),
  );
}

function canonicalObject(members: (readonly [name: string, value: string])[]): string {
  // Any fixed order will do; names are unique.
  members.sort(([left], [right]) => (left < right ? -1 : 1));
  return `{${members.map(([name, value]) => `${JSON.stringify(name)}:${value}`).join(",")}}`;
}

const decimalParts = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([-+]?\d+))?$/;

/** Bounds of Python's Decimal on 64-bit machines: exponent of the first and of the last digit. */
const firstExponentMax = 999_999_999_999_999_999n;
const lastExponentMin = -1_999_999_999_999_999_997n;

/** Digits without zeros at either end, and the exponent of the last one: "-15e-1". */
function canonicalNumber(text: string): string {
  const [, sign = "", whole = "", fraction = "", exponentText = "0"] =
    decimalParts.exec(text) ?? [];
  const digits = `${whole}${fraction}`.replace(/^0+(?=\d)/, "");
  const exponent = BigInt(exponentText) - BigInt(fraction.length);
  if (exponent + BigInt(digits.length - 1) > firstExponentMax || exponent < lastExponentMin) {
    throw new NotCanonical();
  }
  if (digits === "0" || /^0+$/.test(digits)) return "0";
  const significant = digits.replace(/0+$/, "");
  return `${sign}${significant}e${exponent + BigInt(digits.length - significant.length)}`;
}

const space = /[ \t\n\r]*/y;
const number = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?/y;
const literal = /true|false|null/y;

/** Strict JSON; everything else, Python's NaN included, is not canonical. */
class TextCanonicalizer {
  readonly #text: string;
  #index = 0;
  #depth = 0;

  constructor(text: string) {
    this.#text = text;
  }

  /** The whole text, which must be one object. */
  object(): string {
    this.#take(space);
    if (this.#text[this.#index] !== "{") throw new NotCanonical();
    const canonical = this.#value();
    this.#take(space);
    if (this.#index !== this.#text.length) throw new NotCanonical();
    return canonical;
  }

  #value(): string {
    switch (this.#text[this.#index]) {
      case "{": {
        const members = new Map<string, string>();
        this.#items("}", () => {
          const name = this.#string();
          this.#take(space);
          this.#expect(":");
          this.#take(space);
          if (members.has(name)) throw new NotCanonical();
          members.set(name, this.#value());
        });
        return canonicalObject([...members]);
      }
      case "[": {
        const items: string[] = [];
        this.#items("]", () => items.push(this.#value()));
        return `[${items.join(",")}]`;
      }
      case '"':
        return JSON.stringify(this.#string());
      default:
        return this.#take(literal) || canonicalNumber(this.#require(number));
    }
  }

  #items(close: string, takeItem: () => void): void {
    this.#depth += 1;
    if (this.#depth > jsonNestingMax) throw new NotCanonical();
    this.#index += 1;
    this.#take(space);
    if (this.#text[this.#index] !== close) {
      for (;;) {
        takeItem();
        this.#take(space);
        if (this.#text[this.#index] === close) break;
        this.#expect(",");
        this.#take(space);
      }
    }
    this.#index += 1;
    this.#depth -= 1;
  }

  #string(): string {
    const start = this.#index;
    this.#expect('"');
    let end = this.#text.indexOf('"', this.#index);
    while (end > 0 && this.#isEscaped(end)) end = this.#text.indexOf('"', end + 1);
    if (end < 0) throw new NotCanonical();
    this.#index = end + 1;
    try {
      // Refuses raw control characters and wrong escapes as Python does.
      const value: string = JSON.parse(this.#text.slice(start, this.#index));
      return value;
    } catch (error) {
      throw new NotCanonical("", { cause: error });
    }
  }

  /** Whether an odd number of backslashes stands before the character. */
  #isEscaped(index: number): boolean {
    let start = index;
    while (this.#text[start - 1] === "\\") start -= 1;
    return (index - start) % 2 === 1;
  }

  #expect(character: string): void {
    if (this.#text[this.#index] !== character) throw new NotCanonical();
    this.#index += 1;
  }

  #require(pattern: RegExp): string {
    const taken = this.#take(pattern);
    if (taken === "") throw new NotCanonical();
    return taken;
  }

  #take(pattern: RegExp): string {
    pattern.lastIndex = this.#index;
    const [taken = ""] = pattern.exec(this.#text) ?? [];
    this.#index += taken.length;
    return taken;
  }
}
