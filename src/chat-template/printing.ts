/**
 * str() and repr() of Python values.
 */
import { floatRepr } from "../json/python-number.ts";
import { JsonFloat } from "../json/values.ts";
import type { Value } from "./values.ts";

/** str(value): what `{{ value }}` prints. */
export function print(value: Value): string {
  if (typeof value === "string") return value;
  if (value === null || typeof value !== "object") return represent(value);
  if (Array.isArray(value) || value instanceof Map || value instanceof JsonFloat) {
    return represent(value);
  }
  return value.print(represent);
}

/** repr(value) */
export function represent(value: Value): string {
  switch (typeof value) {
    case "string":
      return representText(value);
    case "boolean":
      return value ? "True" : "False";
    case "number":
    case "bigint":
      return String(value);
    default:
      if (value === null) return "None";
      if (Array.isArray(value)) return `[${value.map(represent).join(", ")}]`;
      if (value instanceof JsonFloat) return floatRepr(value.value);
      if (!(value instanceof Map)) return value.represent(represent);
  }
  const members: string[] = [];
  for (const [key, item] of value) members.push(`${represent(key)}: ${represent(item)}`);
  return `{${members.join(", ")}}`;
}

/** Characters that repr escapes: not printable in Python's sense, a quote or a backslash. */
const escaped = /[\\'"\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}]|(?! )\p{Zs}/gu;

const namedEscapes: Record<string, string> = {
  "\\": "\\\\",
  "\n": "\\n",
  "\r": "\\r",
  "\t": "\\t",
};

function representText(text: string): string {
  const quote = text.includes("'") && !text.includes('"') ? '"' : "'";
  const body = text.replace(escaped, (character) => {
    if (character === "'" || character === '"') {
      return character === quote ? `\\${character}` : character;
    }
    return namedEscapes[character] ?? numericEscape(character.codePointAt(0) ?? 0);
  });
  return quote + body + quote;
}

function numericEscape(codePoint: number): string {
  const digits = codePoint.toString(16);
  if (codePoint < 0x100) return `\\x${digits.padStart(2, "0")}`;
  if (codePoint < 0x10000) return `\\u${digits.padStart(4, "0")}`;
  return `\\U${digits.padStart(8, "0")}`;
}
