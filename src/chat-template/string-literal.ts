/**
 * Escapes in a template's string literals: those of Python's.
 */
import { syntaxError, unsupported } from "./errors.ts";

const named: Record<string, string> = {
  "\n": "",
  "\\": "\\",
  "'": "'",
  '"': '"',
  a: "\x07",
  b: "\b",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
  v: "\v",
};

/** Hexadecimal digits after the letter. */
const hexadecimal: Record<string, number> = { x: 2, u: 4, U: 8 };

/** Unknown escapes stay as they are, backslash included. */
export function unescapeString(body: string, line: number): string {
  if (!body.includes("\\")) return body;
  return body.replace(/\\([0-7]{1,3}|[xuU][0-9a-fA-F]*|[\s\S])/g, (whole, escaped: string) => {
    const letter = escaped[0] ?? "";
    const plain = named[escaped];
    if (plain !== undefined) return plain;
    if (/[0-7]/.test(letter)) return String.fromCharCode(Number.parseInt(escaped, 8));
    const size = hexadecimal[letter];
    if (size !== undefined) return fromHexadecimal(escaped, size, line);
    if (letter === "N") throw unsupported("the escape \\N in a string", line);
    return whole;
  });
}

function fromHexadecimal(escaped: string, size: number, line: number): string {
  const digits = escaped.slice(1, size + 1);
  const codePoint = Number.parseInt(digits, 16);
  if (digits.length < size) throw syntaxError(`truncated \\${escaped[0]}XX escape`, line);
  if (codePoint > 0x10ffff) throw syntaxError("illegal Unicode character", line);
  return String.fromCodePoint(codePoint) + escaped.slice(size + 1);
}
