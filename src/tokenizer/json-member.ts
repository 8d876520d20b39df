/**
 * Finds one member of a large JSON object without building the rest: a tokenizer.json has a few
 * facts at its head and hundreds of thousands of vocabulary entries behind them.
 *
 * Contract   the text is JSON that another parser has accepted; on other text the answer means
 *            nothing, but comes in time linear in the text.
 */

const space = /[ \t\n\r]*/y;

/**
 * The value of a member, as the slice of the text that it is.
 *
 * @param path member names from the outermost object inwards
 * @returns null when the text is no object or has no such member
 */
export function jsonMember(text: string, path: readonly string[]): string | null {
  let start = skipSpace(text, 0);
  for (const name of path) {
    const found = memberValue(text, start, name);
    if (found === null) return null;
    start = found;
  }
  return text.slice(start, valueEnd(text, start));
}

/** Index of the value of a member of the object that opens at `open`. */
function memberValue(text: string, open: number, name: string): number | null {
  if (text[open] !== "{") return null;
  let index = skipSpace(text, open + 1);
  while (text[index] === '"') {
    const nameEnd = stringEnd(text, index);
    const memberName = text.slice(index + 1, nameEnd - 1);
    const start = skipSpace(text, skipSpace(text, nameEnd) + 1);
    if (memberName === name) return start;
    index = skipSpace(text, valueEnd(text, start));
    if (text[index] !== ",") return null;
    index = skipSpace(text, index + 1);
  }
  return null;
}

function skipSpace(text: string, index: number): number {
  space.lastIndex = index;
  return index + (space.exec(text)?.[0].length ?? 0);
}

/** Index after the closing quote of the string that opens at `start`. */
function stringEnd(text: string, start: number): number {
  let index = start + 1;
  while (index < text.length && text[index] !== '"') index += text[index] === "\\" ? 2 : 1;
  return index + 1;
}

function valueEnd(text: string, start: number): number {
  let index = start;
  let depth = 0;
  while (index < text.length) {
    switch (text[index]) {
      case '"':
        index = stringEnd(text, index);
        if (depth === 0) return index;
        continue;
      case "{":
      case "[":
        depth += 1;
        break;
      case "}":
      case "]":
        // At depth 0 this closes what surrounds a number or a literal.
        if (depth === 0) return index;
        depth -= 1;
        if (depth === 0) return index + 1;
        break;
      case ",":
        if (depth === 0) return index;
    }
    index += 1;
  }
  return index;
}
