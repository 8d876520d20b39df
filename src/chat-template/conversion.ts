/**
 * int(), float() and round() of Python, for the filters of the same names.
 *
 * Contract   functions that Python lets fail return undefined where the filter would catch the
 *            error, and throw where it would not.
 */
import { isPythonNumber } from "../json/python-number.ts";
import { JsonFloat } from "../json/values.ts";
import { integerDigitsMax } from "../limits.ts";
import { integer, integerOfFloat, toFloat } from "./arithmetic.ts";
import { overflowError } from "./errors.ts";
import { strip } from "./text.ts";
import { Undefined, type Value } from "./values.ts";

const digitClasses: Record<number, string> = { 2: "01", 8: "0-7", 10: "0-9", 16: "0-9a-f" };

/** int(text, base); undefined for ValueError, and for the TypeError of a base that is no int. */
export function parseInteger(text: string, base: Value): Value | undefined {
  if (typeof base !== "number" || base === 1 || base < 0 || base > 36) return undefined;
  return base === 0 ? parseAnyBase(text) : parseInBase(text, base);
}

/** Base 0 reads the prefix; without one, zeros may not lead. */
function parseAnyBase(text: string): Value | undefined {
  const [, prefix = ""] = /^[-+]?(0[box])/i.exec(strip(text, null)) ?? [];
  const base = { "0b": 2, "0o": 8, "0x": 16 }[prefix.toLowerCase()] ?? 10;
  const value = parseInBase(text, base);
  return base === 10 && value !== 0 && /^[-+]?0/.test(strip(text, null)) ? undefined : value;
}

function parseInBase(text: string, base: number): Value | undefined {
  const prefix = { 2: "0b", 8: "0o", 16: "0x" }[base];
  const digits = digitClasses[base] ?? baseDigits(base);
  const pattern = new RegExp(
    `^([-+]?)(?:${prefix ?? "(?!)"}_?)?([${digits}]+(?:_[${digits}]+)*)$`,
    "i",
  );
  const found = pattern.exec(asciiDigits(strip(text, null)));
  if (found === null) return undefined;
  const body = (found[2] ?? "").replaceAll("_", "");
  if (body.length > integerDigitsMax && base === 10) return undefined;
  const value = prefix === undefined ? digitsToInteger(body, base) : BigInt(prefix + body);
  return integer(found[1] === "-" ? -value : value);
}

function baseDigits(base: number): string {
  if (base <= 10) return `0-${base - 1}`;
  return `0-9a-${String.fromCharCode(96 + base - 10)}`;
}

function digitsToInteger(digits: string, base: number): bigint {
  if (base === 10) return BigInt(digits);
  let value = 0n;
  for (const digit of digits) value = value * BigInt(base) + BigInt(Number.parseInt(digit, base));
  return value;
}

/** Decimal digits of any script as ASCII: int() and float() take them all. */
function asciiDigits(text: string): string {
  return text.replace(/[^\P{Nd}0-9]/gu, (digit) => {
    // Decimal digits come in runs of ten that start at a zero.
    let value = 0;
    let codePoint = digit.codePointAt(0) ?? 0;
    while (value < 9 && /\p{Nd}/u.test(String.fromCodePoint(codePoint - 1))) {
      codePoint -= 1;
      value += 1;
    }
    return String(value);
  });
}

const floatText = /^[-+]?(?:(?:\d+(?:_\d+)*)?\.?(?:\d+(?:_\d+)*)?(?:e[-+]?\d+(?:_\d+)*)?)$/i;
const floatDigits = /^[-+]?(?:\d|\.\d)/;

/** float(text); undefined for ValueError. */
export function parseFloatText(text: string): number | undefined {
  const body = asciiDigits(strip(text, null));
  const named = /^([-+]?)(inf|infinity|nan)$/i.exec(body);
  if (named !== null) {
    if (named[2]?.toLowerCase() === "nan") return Number.NaN;
    return named[1] === "-" ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
  }
  if (!floatText.test(body) || !floatDigits.test(body)) return undefined;
  return Number(body.replaceAll("_", ""));
}

/** float(value); undefined for TypeError and ValueError. */
export function toFloatOrUndefined(value: Value): number | undefined {
  if (typeof value === "string") return parseFloatText(value);
  if (value instanceof Undefined) throw value.error();
  return isPythonNumber(value) ? toFloat(value) : undefined;
}

/** int(float); throws OverflowError for infinities, undefined for NaN. */
export function truncateFloat(value: number): Value | undefined {
  if (Number.isNaN(value)) return undefined;
  if (!Number.isFinite(value)) throw overflowError("cannot convert float infinity to integer");
  return integerOfFloat(Math.trunc(value));
}

/** int(value) of a value that is no text; undefined for TypeError and ValueError. */
export function toIntegerOrUndefined(value: Value): Value | undefined {
  if (value instanceof Undefined) throw value.error();
  if (value instanceof JsonFloat) return truncateFloat(value.value);
  if (typeof value === "boolean") return Number(value);
  return typeof value === "number" || typeof value === "bigint" ? value : undefined;
}
