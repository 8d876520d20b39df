/**
 * Python's repr() of JSON values.
 *
 * Contract   None, True, 1.0, 'text' and {'a': 1} as CPython writes them; what is printable follows
 *            the runtime's Unicode tables.
 */
import { floatRepr } from "./python-number.ts";
import { JsonFloat, type JsonValue } from "./values.ts";

/** Writes a value of a type that JSON does not have. */
type Represent = (value: object) => string;

/** repr(value); `other` takes what is no JSON, also inside lists and dicts. */
export function pythonRepr(value: JsonValue | object, other: Represent = String): string {
  switch (typeof value) {
    case "string":
      return textRepr(value);
    case "boolean":
      return value ? "True" : "False";
    case "number":
    case "bigint":
      return String(value);
    default:
      if (value === null) return "None";
      if (value instanceof JsonFloat) return floatRepr(value.value);
      if (Array.isArray(value))
        return `[${value.map((item) => pythonRepr(item, other)).join(", ")}]`;
      if (!(value instanceof Map)) return other(value);
  }
  const members: string[] = [];
  for (const [key, item] of value) {
    members.push(`${pythonRepr(key, other)}: ${pythonRepr(item, other)}`);
  }
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

function textRepr(text: string): string {
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
