/**
 * format(value, specification): Python's format specification mini-language for text and numbers.
 */
import { floatRepr, isPythonNumber, type PythonNumber } from "../json/python-number.ts";
import { JsonFloat } from "../json/values.ts";
import { toFloat } from "./arithmetic.ts";
import { overflowError, typeError, valueError } from "./errors.ts";
import { general, grouped } from "./number-format.ts";
import { floating } from "./percent-format.ts";
import { print } from "./printing.ts";
import { boundedText, characters, repeatText } from "./text.ts";
import { typeName, type Value } from "./values.ts";

interface Specification {
  readonly fill: string;
  readonly align: string;
  readonly sign: string;
  readonly alternate: boolean;
  readonly width: number;
  readonly grouping: string;
  readonly precision: number | undefined;
  readonly type: string;
}

const pattern =
  /^(?:([\s\S])?([<>=^]))?([-+ ])?(z)?(#)?(0)?(\d+)?([,_])?(?:\.(\d+))?([bcdeEfFgGnosxX%])?$/u;

export function formatValue(value: Value, specification: string): string {
  if (specification === "") return print(value);
  if (typeof value !== "string" && !isPythonNumber(value)) {
    throw typeError(`unsupported format string passed to ${typeName(value)}.__format__`);
  }
  const parsed = parse(specification, typeName(value));
  if (typeof value === "string") return formatText(value, parsed);
  return formatNumber(value, parsed);
}

function parse(specification: string, type: string): Specification {
  const found = pattern.exec(specification);
  if (found === null) {
    throw valueError(`Invalid format specifier '${specification}' for object of type '${type}'`);
  }
  const [, fill, align, sign = "", , alternate, zero, width, grouping = "", precision] = found;
  return {
    fill: fill ?? (zero === undefined ? " " : "0"),
    // A zero before the width aligns numbers only.
    align: align ?? (zero === undefined || type === "str" ? "" : "="),
    sign,
    alternate: alternate !== undefined,
    width: Number(width ?? 0),
    grouping,
    precision: precision === undefined ? undefined : Number(precision),
    type: found[10] ?? "",
  };
}

function formatText(text: string, specification: Specification): string {
  const { type, sign, alternate, align, grouping, precision } = specification;
  if (type !== "" && type !== "s") throw unknownCode(type, "str");
  if (sign !== "") throw valueError("Sign not allowed in string format specifier");
  if (alternate) throw valueError("Alternate form (#) not allowed in string format specifier");
  if (grouping !== "") throw valueError(`Cannot specify '${grouping}' with 's'.`);
  if (align === "=") throw valueError("'=' alignment not allowed in string format specifier");
  const cut = precision === undefined ? text : characters(text).slice(0, precision).join("");
  return pad("", cut, specification, "<");
}

function formatNumber(value: PythonNumber, specification: Specification): string {
  const { type } = specification;
  if (typeof value === "boolean" && type === "") return formatBoolean(value, specification);
  const isFloat = value instanceof JsonFloat || "eEfFgG%".includes(type || "d");
  const text = isFloat
    ? floatText(toFloat(value), specification, value instanceof JsonFloat)
    : integerText(BigInt(value as number | bigint | boolean), specification);
  const negative = text.startsWith("-");
  const sign = negative ? "-" : specification.sign === "-" ? "" : specification.sign;
  return pad(sign, negative ? text.slice(1) : text, specification, ">");
}

/** bool has int's format, but without a type it is text when nothing else is asked for. */
function formatBoolean(value: boolean, specification: Specification): string {
  return formatNumber(Number(value), specification);
}

function integerText(value: bigint, specification: Specification): string {
  const { type, grouping, precision, alternate } = specification;
  if (precision !== undefined)
    throw valueError("Precision not allowed in integer format specifier");
  const magnitude = value < 0n ? -value : value;
  const minus = value < 0n ? "-" : "";
  switch (type) {
    case "":
    case "d":
    case "n":
      return minus + group(magnitude.toString(), grouping, 3, specification);
    case "c":
      if (value < 0n || value > 0x10ffffn) throw overflowError("%c arg not in range(0x110000)");
      return String.fromCodePoint(Number(value));
    case "b":
    case "o":
    case "x":
    case "X": {
      if (grouping === ",") throw valueError(`Cannot specify ',' with '${type}'.`);
      const digits = magnitude.toString({ b: 2, o: 8, x: 16, X: 16 }[type]);
      const text = group(digits, grouping, 4, specification);
      const prefix = alternate ? `0${type}` : "";
      return minus + prefix + (type === "X" ? text.toUpperCase() : text);
    }
    default:
      throw unknownCode(type, "int");
  }
}

function floatText(value: number, specification: Specification, isFloat: boolean): string {
  const { type, precision, alternate, grouping } = specification;
  let text: string;
  if (type === "%") {
    text = `${floating(value * 100, "f", precision ?? 6, alternate)}%`;
  } else if (type === "" && precision === undefined) {
    text = floatRepr(value);
  } else if (type === "") {
    text = generalWithPoint(value, precision ?? 12);
  } else if ("eEfFgGn".includes(type)) {
    text = floating(value, type === "n" ? "g" : type, precision ?? 6, alternate);
  } else {
    throw unknownCode(type, isFloat ? "float" : "int");
  }
  if (grouping === "" || !Number.isFinite(value)) return text;
  const [, minus = "", whole = "", rest = ""] = /^(-?)(\d+)(.*)$/.exec(text) ?? [];
  return minus + group(whole, grouping, 3, specification, rest.length) + rest;
}

/** Like %g with a digit after the point, as str(float) would have. */
function generalWithPoint(value: number, precision: number): string {
  if (!Number.isFinite(value)) return floatRepr(value);
  const text = general(value, precision, false);
  if (text.includes(".") || text.includes("e")) return text;
  return text.replace("-", "").length >= precision && precision > 0
    ? general(value, precision, false)
    : `${text}.0`;
}

/** Grouping also separates the zeros that fill a width. */
function group(
  digits: string,
  separator: string,
  size: number,
  specification: Specification,
  taken = 0,
): string {
  if (separator === "") return digits;
  if (specification.fill !== "0" || specification.align !== "=") {
    return grouped(digits, separator, size);
  }
  let filled = digits;
  const width = specification.width - taken - (specification.sign === "" ? 0 : 1);
  while (grouped(filled, separator, size).length < width) filled = `0${filled}`;
  return grouped(filled, separator, size);
}

function pad(
  sign: string,
  body: string,
  specification: Specification,
  defaultAlign: string,
): string {
  const missing = specification.width - characters(body).length - sign.length;
  if (missing <= 0) return sign + body;
  const fill = (count: number) => repeatText(specification.fill, count);
  switch (specification.align || defaultAlign) {
    case "<":
      return boundedText(sign + body + fill(missing));
    case "^": {
      const left = Math.floor(missing / 2);
      return boundedText(fill(left) + sign + body + fill(missing - left));
    }
    case "=":
      return boundedText(sign + fill(missing) + body);
    default:
      return boundedText(fill(missing) + sign + body);
  }
}

function unknownCode(code: string, type: string) {
  return valueError(`Unknown format code '${code}' for object of type '${type}'`);
}
