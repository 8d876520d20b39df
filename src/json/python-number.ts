/**
 * Python's int and float where they differ from JavaScript's numbers: how a float is written, and
 * comparison between the two, which Python does exactly at any size.
 *
 * Contract   an int is a `number` while it is a safe integer and a `bigint` beyond; a float is a
 *            `JsonFloat`; a bool counts as 0 or 1, as in Python.
 */
import { JsonFloat } from "./values.ts";

export type PythonNumber = number | bigint | boolean | JsonFloat;

export function isPythonNumber(value: unknown): value is PythonNumber {
  switch (typeof value) {
    case "number":
    case "bigint":
    case "boolean":
      return true;
    default:
      return value instanceof JsonFloat;
  }
}

/** repr(float): shortest digits, always a point or an exponent; nan, inf and -inf by name. */
export function floatRepr(value: number): string {
  if (Number.isNaN(value)) return "nan";
  if (!Number.isFinite(value)) return value > 0 ? "inf" : "-inf";
  if (Object.is(value, -0)) return "-0.0";
  const magnitude = Math.abs(value);
  // JavaScript finds the same shortest digits; only the choice and form of the exponent differ.
  if (magnitude === 0 || (magnitude >= 1e-4 && magnitude < 1e16)) {
    const text = String(value);
    if (!text.includes("e")) return text.includes(".") ? text : `${text}.0`;
  }
  const [digits = "", exponent = ""] = value.toExponential().split("e");
  const sign = exponent.startsWith("-") ? "-" : "+";
  return `${digits}e${sign}${exponent.slice(1).padStart(2, "0")}`;
}

/** a == b of Python numbers: 1 == 1.0 == True, and 2**53 + 1 differs from the float next to it. */
export function numbersEqual(left: PythonNumber, right: PythonNumber): boolean {
  return compareNumbers(left, right) === 0;
}

/** Negative, zero or positive like a comparator; NaN when either is NaN, so every test fails. */
export function compareNumbers(left: PythonNumber, right: PythonNumber): number {
  const a = left instanceof JsonFloat ? left.value : left;
  const b = right instanceof JsonFloat ? right.value : right;
  // JavaScript compares bigint with number by exact value, as Python compares int with float.
  if (a < b) return -1;
  if (a > b) return 1;
  return a <= b ? 0 : Number.NaN;
}
