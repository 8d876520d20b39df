/**
 * Filters on single values: defaults, conversions, numbers, attributes.
 */
import { floatRepr, isPythonNumber } from "../json/python-number.ts";
import { JsonFloat } from "../json/values.ts";
import { templateIntegerBitsMax } from "../limits.ts";
import { integer, integerOfFloat, operate, signed } from "./arithmetic.ts";
import {
  parseFloatText,
  parseInteger,
  toFloatOrUndefined,
  toIntegerOrUndefined,
  truncateFloat,
} from "./conversion.ts";
import type { Filter } from "./environment.ts";
import {
  boundExceeded,
  filterArgumentError,
  overflowError,
  typeError,
  valueError,
} from "./errors.ts";
import { filter } from "./filter-definition.ts";
import { integerArgument } from "./indexing.ts";
import { attributeOf, missingAttribute } from "./lookup.ts";
import { fixed, roundFloat } from "./number-format.ts";
import { toJson } from "./to-json.ts";
import { isTrue, typeName, Undefined, type Value } from "./values.ts";

const defaultFilter = filter("default", ["default_value", "boolean"], 0, (value, args) => {
  const [replacement = "", orFalse = false] = args;
  const replaced = value instanceof Undefined || (isTrue(orFalse) && !isTrue(value));
  return replaced ? replacement : value;
});

function toInteger(value: Value, args: (Value | undefined)[]): Value {
  const [missing = 0, base = 10] = args;
  const direct =
    typeof value === "string" ? parseInteger(value, base) : toIntegerOrUndefined(value);
  if (direct !== undefined) return direct;
  // "42.23" | int is 42: what is no integer may still be a float.
  const float = typeof value === "string" ? parseFloatText(value) : undefined;
  if (float === undefined || !Number.isFinite(float)) return missing;
  const whole = truncateFloat(float);
  return whole === undefined ? missing : whole;
}

function absolute(value: Value): Value {
  if (value instanceof Undefined) {
    throw typeError("bad operand type for abs(): 'Undefined'");
  }
  if (!isPythonNumber(value)) {
    throw typeError(`bad operand type for abs(): '${typeName(value)}'`);
  }
  if (value instanceof JsonFloat) return new JsonFloat(Math.abs(value.value));
  return BigInt(value) < 0n ? signed("-", value) : signed("+", value);
}

function round(value: Value, args: (Value | undefined)[]): Value {
  const [precision = 0, method = "common"] = args;
  if (method !== "common" && method !== "ceil" && method !== "floor") {
    throw filterArgumentError("method must be common, ceil or floor");
  }
  if (method === "common") return roundCommonly(value, precision);
  const scale = operate("**", 10, precision);
  const scaled = operate("*", value, scale);
  if (!isPythonNumber(scaled)) {
    throw typeError(`must be real number, not ${typeName(scaled)}`);
  }
  const whole = scaled instanceof JsonFloat ? wholeNumber(scaled.value, method) : scaled;
  return operate("/", whole, scale);
}

function wholeNumber(value: number, method: "ceil" | "floor"): Value {
  if (Number.isNaN(value)) throw valueError("cannot convert float NaN to integer");
  if (!Number.isFinite(value)) throw overflowError("cannot convert float infinity to integer");
  return integerOfFloat(method === "ceil" ? Math.ceil(value) : Math.floor(value));
}

function roundCommonly(value: Value, precision: Value): Value {
  if (!isPythonNumber(value)) {
    throw typeError(`type ${typeName(value)} doesn't define __round__ method`);
  }
  if (value instanceof JsonFloat) {
    if (precision !== null)
      return new JsonFloat(roundFloat(value.value, integerArgument(precision)));
    return wholeNumber(roundFloat(value.value, 0), "floor");
  }
  const digits = precision === null ? 0 : integerArgument(precision);
  if (digits >= 0) return signed("+", value);
  if (-digits > templateIntegerBitsMax) throw boundExceeded("size of an integer");
  return roundInteger(BigInt(value), 10n ** BigInt(-digits));
}

/** To a multiple of `unit`, ties to the even one. */
function roundInteger(value: bigint, unit: bigint): Value {
  const remainder = ((value % unit) + unit) % unit;
  const low = value - remainder;
  const isOdd = (low / unit) % 2n !== 0n;
  const up = remainder * 2n > unit || (remainder * 2n === unit && isOdd);
  return integer(up ? low + unit : low);
}

function fileSize(value: Value, binary: boolean): string {
  const bytes = typeof value === "string" ? parseFloatText(value) : toFloatOrUndefined(value);
  if (bytes === undefined) throw typeError("float() argument must be a string or a real number");
  const base = binary ? 1024 : 1000;
  if (bytes === 1) return "1 Byte";
  if (bytes < base) return `${BigInt(Math.trunc(bytes))} Bytes`;
  const prefixes = binary ? "KiB MiB GiB TiB PiB EiB ZiB YiB" : "kB MB GB TB PB EB ZB YB";
  const names = prefixes.split(" ");
  const index = names.findIndex((_, place) => bytes < base ** (place + 2));
  const place = index < 0 ? names.length - 1 : index;
  const scaled = (base * bytes) / base ** (place + 2);
  return `${Number.isFinite(scaled) ? fixed(scaled, 1) : floatRepr(scaled)} ${names[place]}`;
}

const jsonParameters = ["ensure_ascii", "indent", "separators", "sort_keys"];

export const valueFilters: ReadonlyMap<string, Filter> = new Map<string, Filter>([
  ["abs", filter("abs", [], 0, absolute)],
  [
    "attr",
    filter("attr", ["name"], 1, (value, [name = null]) => {
      if (typeof name !== "string") throw typeError("attribute name must be string");
      const attribute = attributeOf(value, name);
      return attribute === undefined ? missingAttribute(value, name) : attribute;
    }),
  ],
  ["d", defaultFilter],
  ["default", defaultFilter],
  [
    "filesizeformat",
    filter("filesizeformat", ["binary"], 0, (value, [binary = false]) =>
      fileSize(value, isTrue(binary)),
    ),
  ],
  [
    "float",
    filter("float", ["default"], 0, (value, [missing = new JsonFloat(0)]) => {
      const float = toFloatOrUndefined(value);
      return float === undefined ? missing : new JsonFloat(float);
    }),
  ],
  ["int", filter("int", ["default", "base"], 0, toInteger)],
  ["round", filter("round", ["precision", "method"], 0, round)],
  [
    "tojson",
    filter("tojson", jsonParameters, 0, (value, args) => {
      const [ensureAscii = false, indent = null, separators = null, sortKeys = false] = args;
      return toJson(value, {
        ensureAscii: isTrue(ensureAscii),
        indent,
        separators,
        sortKeys: isTrue(sortKeys),
      });
    }),
  ],
]);
