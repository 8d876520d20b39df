/**
 * Numbers as texts with a given number of digits: what %-formatting, str.format and round share.
 *
 * Contract   rounding is of the exact binary value, ties go to the even digit, as in Python.
 */
import { templatePrecisionMax } from "../limits.ts";
import { boundExceeded } from "./errors.ts";

/** value, which is finite, with `digits` digits after the point. */
export function fixed(value: number, digits: number): string {
  checkDigits(digits);
  if (Math.abs(value) >= 1e21) {
    const whole = BigInt(value).toString();
    return digits === 0 ? whole : `${whole}.${"0".repeat(digits)}`;
  }
  const rounded = value.toFixed(digits);
  const text = isTie(value, digits) ? evenNeighbour(value, digits, rounded) : rounded;
  // A negative number keeps its sign when it is rounded to zero, and so does a negative zero.
  const negative = value < 0 || Object.is(value, -0);
  return negative && !text.startsWith("-") ? `-${text}` : text;
}

function checkDigits(digits: number): void {
  if (digits > templatePrecisionMax) throw boundExceeded("precision of a number");
}

/** toFixed is exact but for the direction of ties, which it takes away from zero. */
function isTie(value: number, digits: number): boolean {
  return /^5(0*)$/.test((value.toFixed(100).split(".")[1] ?? "").slice(digits));
}

function evenNeighbour(value: number, digits: number, rounded: string): string {
  const last = Number(rounded.at(-1));
  if (last % 2 === 0) return rounded;
  // The other neighbour of a tie is the truncated text: one digit less, which is even.
  const [whole = "", fraction = ""] = Math.abs(value).toFixed(100).split(".");
  const sign = value < 0 ? "-" : "";
  return sign + (digits === 0 ? whole : `${whole}.${fraction.slice(0, digits)}`);
}

/** d.ddde+xx with `digits` digits after the point. */
export function exponential(value: number, digits: number): string {
  checkDigits(digits);
  const text = value.toExponential(digits);
  const [mantissa = "", exponent = ""] = text.split("e");
  const sign = exponent.startsWith("-") ? "-" : "+";
  const negative = Object.is(value, -0) ? "-" : "";
  return `${negative}${mantissa}e${sign}${exponent.slice(1).padStart(2, "0")}`;
}

/** C's %g: `digits` significant digits, trailing zeros dropped unless `keepZeros`. */
export function general(value: number, digits: number, keepZeros: boolean): string {
  const precision = Math.max(digits, 1);
  const scientific = exponential(value, precision - 1);
  const exponent = Number(scientific.slice(scientific.indexOf("e") + 1));
  if (exponent < -4 || exponent >= precision) {
    const [mantissa = "", power = ""] = scientific.split("e");
    return `${keepZeros ? mantissa : dropZeros(mantissa)}e${power}`;
  }
  const text = fixed(value, Math.max(0, precision - 1 - exponent));
  return keepZeros ? text : dropZeros(text);
}

function dropZeros(text: string): string {
  return text.includes(".") ? text.replace(/\.?0+$/, "") : text;
}

/** Separates the digits of a whole number in groups. */
export function grouped(digits: string, separator: string, size = 3): string {
  return digits.replace(new RegExp(`\\B(?=([0-9a-fA-F]{${size}})+$)`, "g"), separator);
}

/** round(value, digits) of a float */
export function roundFloat(value: number, digits: number): number {
  if (!Number.isFinite(value) || digits > templatePrecisionMax) return value;
  if (digits >= 0) return Number(fixed(value, digits));
  const unit = 10 ** -digits;
  if (!Number.isFinite(unit)) return value < 0 ? -0 : 0;
  const quotient = Number(fixed(value / unit, 0));
  return quotient * unit;
}
