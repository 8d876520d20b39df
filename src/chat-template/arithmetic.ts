/**
 * Python's operators + - * / // % ** and the signs, on numbers, texts and sequences.
 *
 * Contract   ints stay exact at any size up to a bound; errors are Python's, the error of an
 *            Undefined operand first.
 */
import { isPythonNumber, type PythonNumber } from "../json/python-number.ts";
import { JsonFloat } from "../json/values.ts";
import { templateIntegerBitsMax, templateListItemsMax } from "../limits.ts";
import { boundExceeded, overflowError, TemplateTypeError, typeError } from "./errors.ts";
import { addMarkup, Markup, unsupportedMarkup } from "./markup.ts";
import { formatPercent } from "./percent-format.ts";
import { boundedText, repeatText } from "./text.ts";
import { Tuple, typeName, Undefined, type Value } from "./values.ts";

export type Operator = "+" | "-" | "*" | "/" | "//" | "%" | "**";
type Integer = number | bigint;

/** An int in its canonical form: number while safe, bigint beyond. */
export function integer(value: bigint): Integer {
  return BigInt.asIntN(54, value) === value && value !== -(2n ** 53n) ? Number(value) : value;
}

/** The int that a float without a fraction stands for. */
export function integerOfFloat(value: number): Integer {
  return Number.isSafeInteger(value) ? value + 0 : BigInt(value);
}

export function add(left: Value, right: Value): Value {
  if (typeof left === "string" && typeof right === "string") return boundedText(left + right);
  if (isPythonNumber(left) && isPythonNumber(right)) return calculate("+", left, right);
  if (Array.isArray(left) && Array.isArray(right)) {
    checkListLength(left.length + right.length);
    return [...left, ...right];
  }
  if (left instanceof Tuple && right instanceof Tuple) {
    checkListLength(left.items.length + right.items.length);
    return new Tuple([...left.items, ...right.items]);
  }
  const markup = addMarkup(left, right);
  if (markup !== undefined) return markup;
  checkOperands("+", left, right);
  if (typeof left === "string") {
    throw typeError(`can only concatenate str (not "${typeName(right)}") to str`);
  }
  if (Array.isArray(left) || left instanceof Tuple) {
    const type = typeName(left);
    throw typeError(`can only concatenate ${type} (not "${typeName(right)}") to ${type}`);
  }
  throw unsupportedOperands("+", left, right);
}

/** left <operator> right */
export function operate(operator: Operator, left: Value, right: Value): Value {
  if (operator === "+") return add(left, right);
  if (isPythonNumber(left) && isPythonNumber(right)) return calculate(operator, left, right);
  if (operator === "%" && typeof left === "string") return formatPercent(left, right);
  checkOperands(operator, left, right);
  if (operator === "*") {
    if (isInteger(right) && isSequence(left)) return repeat(left, right);
    if (isInteger(left) && isSequence(right)) return repeat(right, left);
    if (isSequence(left) || isSequence(right)) {
      const factor = isSequence(left) ? right : left;
      throw typeError(`can't multiply sequence by non-int of type '${typeName(factor)}'`);
    }
  }
  throw unsupportedOperands(operator === "**" ? "** or pow()" : operator, left, right);
}

function checkOperands(operator: Operator, left: Value, right: Value): void {
  if (left instanceof Undefined) throw left.error();
  if (right instanceof Undefined) throw right.error();
  if (operator === "+") return;
  if (left instanceof Markup || right instanceof Markup) throw unsupportedMarkup(operator);
}

function unsupportedOperands(operator: string, left: Value, right: Value): TemplateTypeError {
  return typeError(
    `unsupported operand type(s) for ${operator}: '${typeName(left)}' and '${typeName(right)}'`,
  );
}

function checkListLength(length: number): void {
  if (length > templateListItemsMax) throw boundExceeded("length of a list");
}

type Sequence = string | Value[] | Tuple;

function isSequence(value: Value): value is Sequence {
  return typeof value === "string" || Array.isArray(value) || value instanceof Tuple;
}

export function isInteger(value: Value): value is Integer | boolean {
  return typeof value === "number" || typeof value === "bigint" || typeof value === "boolean";
}

function repeat(sequence: Sequence, times: Integer | boolean): Value {
  if (typeof times === "bigint" && BigInt.asIntN(64, times) !== times) {
    throw overflowError("cannot fit 'int' into an index-sized integer");
  }
  const count = Math.max(0, Number(times));
  if (typeof sequence === "string") return repeatText(sequence, count);
  const items = Array.isArray(sequence) ? sequence : sequence.items;
  checkListLength(items.length * count);
  const repeated: Value[] = [];
  for (let round = 0; round < count && items.length > 0; round += 1) repeated.push(...items);
  return Array.isArray(sequence) ? repeated : new Tuple(repeated);
}

/** -value or +value */
export function signed(sign: "-" | "+", value: Value): Value {
  if (value instanceof Undefined) throw value.error();
  if (value instanceof JsonFloat) return sign === "-" ? new JsonFloat(-value.value) : value;
  if (!isInteger(value))
    throw typeError(`bad operand type for unary ${sign}: '${typeName(value)}'`);
  if (typeof value === "bigint") return sign === "-" ? integer(-value) : value;
  const number = Number(value);
  return sign === "-" && number !== 0 ? -number : number;
}

function calculate(operator: Operator, left: PythonNumber, right: PythonNumber): Value {
  if (left instanceof JsonFloat || right instanceof JsonFloat) {
    return new JsonFloat(calculateFloats(operator, toFloat(left), toFloat(right)));
  }
  const a = typeof left === "boolean" ? Number(left) : left;
  const b = typeof right === "boolean" ? Number(right) : right;
  if (typeof a === "number" && typeof b === "number") {
    const quick = calculateSafely(operator, a, b);
    if (quick !== undefined) return quick;
  }
  return calculateIntegers(operator, BigInt(a), BigInt(b));
}

/** The result while it is certain to be exact. */
function calculateSafely(operator: Operator, a: number, b: number): number | undefined {
  let result: number;
  if (operator === "+") result = a + b;
  else if (operator === "-") result = a - b;
  else if (operator === "*") result = a * b;
  else if (b === 0) return undefined;
  else if (operator === "//") result = Math.floor(a / b);
  else if (operator === "%") result = a - b * Math.floor(a / b);
  else return undefined;
  // Quotients of large numbers may be rounded up to the next integer.
  if (operator === "//" || operator === "%") {
    if (Math.abs(a) > 2 ** 31 || Math.abs(b) > 2 ** 31) return undefined;
  }
  return Number.isSafeInteger(result) ? result + 0 : undefined;
}

function calculateIntegers(operator: Operator, a: bigint, b: bigint): Value {
  switch (operator) {
    case "+":
      return integer(checkBits(a + b));
    case "-":
      return integer(checkBits(a - b));
    case "*":
      return integer(checkBits(a * b));
    case "/":
      if (b === 0n) throw zeroDivision("division by zero");
      return new JsonFloat(divideIntegers(a, b));
    case "//":
      if (b === 0n) throw zeroDivision("integer division or modulo by zero");
      return integer(floorDivide(a, b));
    case "%":
      if (b === 0n) throw zeroDivision("integer modulo by zero");
      return integer(a - b * floorDivide(a, b));
    case "**":
      if (b < 0n) return new JsonFloat(power(toFloat(a), toFloat(b)));
      if (a !== 0n && a !== 1n && a !== -1n) {
        const bits = BigInt(a.toString(2).length) * b;
        if (bits > templateIntegerBitsMax) throw boundExceeded("size of an integer");
      }
      return integer(a ** b);
  }
}

function checkBits(value: bigint): bigint {
  if (BigInt.asIntN(templateIntegerBitsMax, value) !== value) {
    throw boundExceeded("size of an integer");
  }
  return value;
}

function floorDivide(a: bigint, b: bigint): bigint {
  const quotient = a / b;
  return a % b !== 0n && a < 0n !== b < 0n ? quotient - 1n : quotient;
}

function calculateFloats(operator: Operator, a: number, b: number): number {
  switch (operator) {
    case "+":
      return a + b;
    case "-":
      return a - b;
    case "*":
      return a * b;
    case "/":
      if (b === 0) throw zeroDivision("float division by zero");
      return a / b;
    case "//":
      if (b === 0) throw zeroDivision("float floor division by zero");
      return floatFloorDivide(a, b);
    case "%":
      if (b === 0) throw zeroDivision("float modulo");
      return floatModulo(a, b);
    case "**":
      return power(a, b);
  }
}

/** The sign of a float remainder is that of the divisor. */
function floatModulo(a: number, b: number): number {
  const remainder = a % b;
  if (remainder === 0) return b < 0 ? -0 : 0;
  return remainder < 0 !== b < 0 ? remainder + b : remainder;
}

function floatFloorDivide(a: number, b: number): number {
  const remainder = a % b;
  let quotient = (a - remainder) / b;
  if (remainder !== 0 && remainder < 0 !== b < 0) quotient -= 1;
  // A zero has the sign that the exact quotient would have.
  if (quotient === 0) return (a / b) * 0;
  const floor = Math.floor(quotient);
  return quotient - floor > 0.5 ? floor + 1 : floor;
}

function power(a: number, b: number): number {
  if (a === 1 || b === 0) return 1;
  if (a === 0 && b < 0) throw zeroDivision("0.0 cannot be raised to a negative power");
  if (a < 0 && Number.isFinite(a) && Number.isFinite(b) && !Number.isInteger(b)) {
    throw typeError("complex numbers are not supported by this template engine");
  }
  if (a === -1 && !Number.isFinite(b) && !Number.isNaN(b)) return 1;
  const result = Number.isInteger(b) && Math.abs(b) <= 1024 ? integerPower(a, b) : a ** b;
  if (!Number.isFinite(result) && Number.isFinite(a) && Number.isFinite(b)) {
    throw overflowError("(34, 'Numerical result out of range')");
  }
  return result;
}

/** The runtime's own power of an integer exponent is off by many digits; this one rounds once. */
function integerPower(base: number, exponent: number): number {
  if (!Number.isFinite(base)) return base ** exponent;
  const [numerator, denominator] = ratio(Math.abs(base));
  const times = BigInt(Math.abs(exponent));
  const above = (exponent < 0 ? denominator : numerator) ** times;
  const below = (exponent < 0 ? numerator : denominator) ** times;
  const magnitude = quotient(above, below);
  return base < 0 && exponent % 2 !== 0 ? -magnitude : magnitude;
}

/** A finite float as numerator and denominator. */
function ratio(value: number): [bigint, bigint] {
  let numerator = value;
  let denominator = 1n;
  while (!Number.isInteger(numerator)) {
    numerator *= 2;
    denominator *= 2n;
  }
  return [BigInt(numerator), denominator];
}

/** a / b, rounded once. */
function divideIntegers(a: bigint, b: bigint): number {
  const magnitude = quotient(a < 0n ? -a : a, b < 0n ? -b : b);
  if (!Number.isFinite(magnitude)) {
    throw overflowError("integer division result too large for a float");
  }
  return a < 0n === b < 0n ? magnitude : -magnitude;
}

/** Both not negative, the divisor not zero. */
function quotient(dividend: bigint, divisor: bigint): number {
  if (dividend === 0n) return 0;
  // More bits than a float holds, the last of which stands for all that were cut off.
  const shift = 66 + divisor.toString(2).length - dividend.toString(2).length;
  const scaled = shift >= 0 ? dividend << BigInt(shift) : dividend;
  const scale = shift >= 0 ? divisor : divisor << BigInt(-shift);
  const bits = scaled / scale;
  const exact = bits * scale === scaled;
  const half = Math.trunc(-shift / 2);
  return Number(exact ? bits : bits | 1n) * 2 ** half * 2 ** (-shift - half);
}

function zeroDivision(reason: string): TemplateTypeError {
  return new TemplateTypeError("ZeroDivisionError", reason);
}

/** float(value) of a number */
export function toFloat(value: PythonNumber): number {
  if (value instanceof JsonFloat) return value.value;
  const float = Number(value);
  if (!Number.isFinite(float)) throw overflowError("int too large to convert to float");
  return float;
}
