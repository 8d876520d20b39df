/**
 * Python's printf-style formatting: text % values.
 */
import { floatRepr, isPythonNumber } from "../json/python-number.ts";
import { JsonFloat } from "../json/values.ts";
import { PythonRange } from "./containers.ts";
import { overflowError, TemplateTypeError, typeError, valueError } from "./errors.ts";
import { exponential, fixed, general } from "./number-format.ts";
import { print, represent } from "./printing.ts";
import { boundedText, characters, repeatText } from "./text.ts";
import { Tuple, typeName, Undefined, type Value } from "./values.ts";

const conversion = /%(?:\(([^)]*)\))?([-+ #0]*)(\*|\d+)?(?:\.(\*|\d+)?)?([hlL]?)([\s\S]|$)/gu;

/** format % values; a tuple gives several values, a dict gives named ones. */
export function formatPercent(format: string, values: Value): string {
  const positional = values instanceof Tuple ? values.items : [values];
  let used = 0;
  let named = false;
  const next = (): Value => {
    const value = positional[used];
    if (value === undefined) throw typeError("not enough arguments for format string");
    used += 1;
    return value;
  };
  const size = (text: string | undefined): number | undefined => {
    if (text !== "*") return text === undefined ? undefined : Number(text);
    const value = next();
    if (typeof value !== "number") throw typeError("* wants int");
    return value;
  };
  const result = format.replace(
    conversion,
    (whole, key: string | undefined, flags: string, width, precision, _length, type: string) => {
      if (type === "%" && whole === "%%") return "%";
      const columns = size(width);
      const hasPoint = whole.includes(".", 1 + (key === undefined ? 0 : key.length + 2));
      const digits = size(precision) ?? (hasPoint && precision === undefined ? 0 : undefined);
      if (type === "") throw valueError("incomplete format");
      if (type === "%") return "%";
      let value: Value;
      if (key === undefined) value = next();
      else {
        value = namedValue(values, key);
        named = true;
      }
      return pad(convert(type, flags, digits, value), flags, columns ?? 0, type);
    },
  );
  const unused = !named && used < positional.length && !mayBeUnused(values);
  if (unused) throw typeError("not all arguments converted during string formatting");
  return boundedText(result);
}

/** Values that have items, whatever they are, need not be asked for. */
function mayBeUnused(values: Value): boolean {
  return (
    values instanceof Map ||
    Array.isArray(values) ||
    values instanceof PythonRange ||
    values instanceof Undefined
  );
}

function namedValue(values: Value, key: string): Value {
  if (values instanceof Undefined) throw values.error();
  if (!(values instanceof Map)) throw typeError("format requires a mapping");
  const value = values.get(key);
  if (value === undefined) throw new TemplateTypeError("KeyError", represent(key));
  return value;
}

function convert(type: string, flags: string, digits: number | undefined, value: Value): string {
  switch (type) {
    case "s":
      return cut(print(value), digits);
    case "r":
      return cut(represent(value), digits);
    case "d":
    case "i":
    case "u":
      return sign(padDigits(decimal(value, type), digits), flags);
    case "x":
    case "X":
    case "o":
      return sign(padDigits(radix(value, type, flags.includes("#")), digits), flags);
    case "e":
    case "E":
    case "f":
    case "F":
    case "g":
    case "G":
      return sign(floating(float(value, type), type, digits ?? 6, flags.includes("#")), flags);
    case "c":
      return character(value);
    default:
      throw valueError(
        `unsupported format character '${type}' (0x${type.codePointAt(0)?.toString(16)})`,
      );
  }
}

function cut(text: string, length: number | undefined): string {
  if (length === undefined || text.length <= length) return text;
  return characters(text).slice(0, length).join("");
}

function padDigits(text: string, digits: number | undefined): string {
  if (digits === undefined) return text;
  const negative = text.startsWith("-");
  const body = (negative ? text.slice(1) : text).padStart(digits, "0");
  return negative ? `-${body}` : body;
}

function decimal(value: Value, type: string): string {
  if (value instanceof Undefined) throw value.error();
  if (value instanceof JsonFloat) {
    if (Number.isNaN(value.value)) throw valueError("cannot convert float NaN to integer");
    if (!Number.isFinite(value.value)) {
      throw overflowError("cannot convert float infinity to integer");
    }
    return BigInt(Math.trunc(value.value)).toString();
  }
  if (!isPythonNumber(value)) {
    throw typeError(`%${type} format: a real number is required, not ${typeName(value)}`);
  }
  return String(typeof value === "boolean" ? Number(value) : value);
}

function radix(value: Value, type: string, alternate: boolean): string {
  if (!isPythonNumber(value) || value instanceof JsonFloat) {
    throw typeError(`%${type} format: an integer is required, not ${typeName(value)}`);
  }
  const number = BigInt(value);
  const digits = (number < 0n ? -number : number).toString(type === "o" ? 8 : 16);
  const prefix = alternate ? `0${type}` : "";
  return (number < 0n ? "-" : "") + prefix + (type === "X" ? digits.toUpperCase() : digits);
}

function float(value: Value, _type: string): number {
  if (value instanceof Undefined) throw value.error();
  if (!isPythonNumber(value)) throw typeError(`must be real number, not ${typeName(value)}`);
  const number = value instanceof JsonFloat ? value.value : Number(value);
  if (typeof value === "bigint" && !Number.isFinite(number)) {
    throw overflowError("int too large to convert to float");
  }
  return number;
}

/** A float in one of C's conversions; the letter's case is that of the result. */
export function floating(value: number, type: string, digits: number, keepZeros: boolean): string {
  const kind = type.toLowerCase();
  let text: string;
  if (!Number.isFinite(value)) text = floatRepr(value);
  else if (kind === "f") text = fixed(value, digits);
  else if (kind === "e") text = exponential(value, digits);
  else text = general(value, digits, keepZeros);
  return type === kind ? text : text.toUpperCase();
}

function character(value: Value): string {
  if (typeof value === "string" && characters(value).length === 1) return value;
  if (typeof value === "number" || typeof value === "boolean") {
    const codePoint = Number(value);
    if (codePoint >= 0 && codePoint <= 0x10ffff) return String.fromCodePoint(codePoint);
    throw overflowError("%c arg not in range(0x110000)");
  }
  throw typeError("%c requires int or char");
}

function sign(text: string, flags: string): string {
  if (text.startsWith("-")) return text;
  if (flags.includes("+")) return `+${text}`;
  return flags.includes(" ") ? ` ${text}` : text;
}

function pad(text: string, flags: string, width: number, type: string): string {
  const missing = Math.abs(width) - characters(text).length;
  if (missing <= 0) return text;
  if (flags.includes("-") || width < 0) return text + repeatText(" ", missing);
  if (!flags.includes("0") || "srac".includes(type)) return repeatText(" ", missing) + text;
  const head = /^[-+ ]?(?:0[xXo])?/.exec(text)?.[0] ?? "";
  return head + repeatText("0", missing) + text.slice(head.length);
}
