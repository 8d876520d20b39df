/**
 * Attributes of int, bool and float that a template can read.
 */
import { JsonFloat } from "../json/values.ts";
import { integer, integerOfFloat } from "./arithmetic.ts";
import { overflowError, runtimeError, typeError, valueError } from "./errors.ts";
import { PythonFunction, Tuple, type Value } from "./values.ts";

type Integer = number | bigint | boolean;

/** undefined where Python raises AttributeError. */
export function numberAttribute(value: Integer | JsonFloat, name: string): Value | undefined {
  const attribute =
    value instanceof JsonFloat
      ? floatAttributes.get(name)?.(value.value)
      : integerAttributes.get(name)?.(BigInt(value));
  return attribute;
}

function method(name: string, body: () => Value): PythonFunction {
  return new PythonFunction(name, (args, keywords) => {
    if (args.length > 0 || keywords.size > 0) {
      throw typeError(`${name}() takes no arguments (${args.length} given)`);
    }
    return body();
  });
}

function refuse(name: string): PythonFunction {
  return new PythonFunction(name, () => {
    throw runtimeError(`${name}() is not supported by this template engine`);
  });
}

const integerAttributes = new Map<string, (value: bigint) => Value>([
  ["real", integer],
  ["numerator", integer],
  ["imag", () => 0],
  ["denominator", () => 1],
  ["conjugate", (value) => method("conjugate", () => integer(value))],
  [
    "bit_length",
    (value) => method("bit_length", () => (value === 0n ? 0 : magnitude(value).length)),
  ],
  ["bit_count", (value) => method("bit_count", () => magnitude(value).replaceAll("0", "").length)],
  ["as_integer_ratio", (value) => method("as_integer_ratio", () => new Tuple([integer(value), 1]))],
  ["to_bytes", () => refuse("to_bytes")],
  ["from_bytes", () => refuse("from_bytes")],
]);

function magnitude(value: bigint): string {
  return (value < 0n ? -value : value).toString(2);
}

const floatAttributes = new Map<string, (value: number) => Value>([
  ["real", (value) => new JsonFloat(value)],
  ["imag", () => new JsonFloat(0)],
  ["conjugate", (value) => method("conjugate", () => new JsonFloat(value))],
  ["is_integer", (value) => method("is_integer", () => Number.isInteger(value))],
  ["as_integer_ratio", (value) => method("as_integer_ratio", () => integerRatio(value))],
  ["hex", () => refuse("hex")],
  ["fromhex", () => refuse("fromhex")],
]);

function integerRatio(value: number): Tuple {
  if (Number.isNaN(value)) throw valueError("cannot convert NaN to integer ratio");
  if (!Number.isFinite(value)) throw overflowError("cannot convert Infinity to integer ratio");
  let numerator = value;
  let denominator = 1n;
  while (!Number.isInteger(numerator)) {
    numerator *= 2;
    denominator *= 2n;
  }
  return new Tuple([integerOfFloat(numerator), integer(denominator)]);
}
