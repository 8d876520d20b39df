/**
 * The lexical rules of JSON as Python's json module reads it: where a number ends, what is wrong
 * with a string, and how a place in the text is described.
 *
 * Contract   pure functions over UTF-16 indices; nothing here throws.
 */

export const lineFeed = 0x0a;
export const space = 0x20;
export const quote = 0x22;
export const comma = 0x2c;
export const minus = 0x2d;
export const colon = 0x3a;
export const bracketOpen = 0x5b;
export const backslash = 0x5c;
export const bracketClose = 0x5d;
export const braceOpen = 0x7b;
export const braceClose = 0x7d;
const plus = 0x2b;
const point = 0x2e;
const digitZero = 0x30;
const digitNine = 0x39;
const lowerCaseBit = 0x20;
const exponentLetter = 0x65;

/** charCodeAt gives NaN beyond the end of the text, which is no digit. */
export function isDigit(code: number): boolean {
  return code >= digitZero && code <= digitNine;
}

/** The index after the integer part whose first digit is at `from`: a leading zero stands alone. */
export function integerEnd(text: string, from: number): number {
  return text.charCodeAt(from) === digitZero ? from + 1 : digitsEnd(text, from);
}

/** The index after a fraction and an exponent, each optional; `from` when neither is there. */
export function fractionEnd(text: string, from: number): number {
  let index = from;
  // A point or an exponent letter that no digit follows does not belong to the number.
  if (text.charCodeAt(index) === point && isDigit(text.charCodeAt(index + 1))) {
    index = digitsEnd(text, index + 1);
  }
  if ((text.charCodeAt(index) | lowerCaseBit) !== exponentLetter) return index;
  const sign = text.charCodeAt(index + 1);
  const digits = sign === plus || sign === minus ? index + 2 : index + 1;
  return isDigit(text.charCodeAt(digits)) ? digitsEnd(text, digits) : index;
}

function digitsEnd(text: string, from: number): number {
  let index = from;
  while (isDigit(text.charCodeAt(index))) index += 1;
  return index;
}

export interface Fault {
  readonly reason: string;
  readonly index: number;
}

/**
 * The first thing json.loads objects to in the string, known to be wrong, that opens at `start`.
 */
export function stringFault(text: string, start: number): Fault {
  for (let index = start + 1; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (code === quote) break;
    if (code < space) return { reason: "Invalid control character at", index };
    if (code !== backslash) continue;
    const escaped = text[index + 1];
    if (escaped === undefined) break;
    if (escaped === "u") {
      // Python wants something after the four digits too before it calls them an escape.
      if (!/^[0-9a-fA-F]{4}/.test(text.slice(index + 2, index + 6)) || index + 6 >= text.length) {
        return { reason: "Invalid \\uXXXX escape", index: index + 1 };
      }
      index += 5;
      continue;
    }
    if (!'"\\/bfnrt'.includes(escaped)) return { reason: "Invalid \\escape", index };
    index += 1;
  }
  return { reason: "Unterminated string starting at", index: start };
}

/** Line and column count from 1, char from 0, all in code points as Python counts them. */
export function describePlace(text: string, index: number): string {
  const before = text.slice(0, index);
  const line = before.split("\n").length;
  const column = codePointLength(before.slice(before.lastIndexOf("\n") + 1)) + 1;
  return `line ${line} column ${column} (char ${codePointLength(before)})`;
}

/** Code points of a text, lone surrogates counted as one: Python's len(). */
export function codePointLength(text: string): number {
  let length = text.length;
  for (let index = 0; index < text.length - 1; index += 1) {
    if ((text.charCodeAt(index) & 0xfc00) !== 0xd800) continue;
    if ((text.charCodeAt(index + 1) & 0xfc00) !== 0xdc00) continue;
    length -= 1;
    index += 1;
  }
  return length;
}
