/**
 * Finds added tokens in text: the leftmost, of those the longest, then on behind it.
 *
 * Contract   what the Rust library's find_matches does, with lstrip and rstrip taking white space
 *            along.
 * Limits     time is linear in the text, times the longest token where one nearly matches.
 * Not here   single_word, which needs another table of word characters.
 */
import type { AddedToken } from "../added-token.ts";
import { whiteSpace } from "./unicode-tables.ts";
import { requireFeature } from "./unsupported-feature.ts";

/** A token that is looked for. */
export interface FoundToken {
  readonly token: AddedToken;
  readonly id: number;
}

/** A node of the trie over UTF-16 code units. */
interface TrieNode {
  readonly next: Map<number, TrieNode>;
  found: FoundToken | null;
}

/** A token as it stands in a text; `start` to `end` with the white space that it takes. */
interface Occurrence {
  readonly found: FoundToken;
  readonly start: number;
  readonly end: number;
}

const spaceClass = whiteSpace().characterClass();

export class AddedTokenFinder {
  readonly #root: TrieNode = { next: new Map(), found: null };
  /** Finds what a token may begin with; null when there are no tokens. */
  readonly #firstUnits: RegExp | null;
  readonly #spaceBehind = new RegExp(`${spaceClass}*`, "uy");
  readonly #isSpace = new RegExp(spaceClass, "u");

  /** @throws UnsupportedFeatureError when two tokens have the same text */
  constructor(tokens: readonly FoundToken[]) {
    for (const found of tokens) this.#insert(found);
    const units = [...this.#root.next.keys()].map((unit) => unit.toString(16).padStart(4, "0"));
    const members = units.map((unit) => `\\u${unit}`).join("");
    this.#firstUnits = units.length === 0 ? null : new RegExp(`[${members}]`, "g");
  }

  /** Calls `onText` and `onToken` for what the text consists of, in order; no text is empty. */
  split(text: string, onText: (text: string) => void, onToken: (id: number) => void): void {
    for (const part of this.parts(text)) {
      if (typeof part === "number") onToken(part);
      else onText(part);
    }
  }

  /** What the text consists of, in order, found one by one: texts that are not empty, and ids. */
  *parts(text: string): Generator<string | number, void> {
    let start = 0;
    let searchFrom = 0;
    for (;;) {
      const occurrence = this.#find(text, searchFrom, start);
      if (occurrence === null) break;
      if (start < occurrence.start) yield text.slice(start, occurrence.start);
      yield occurrence.found.id;
      // Matches do not overlap; white space that one takes may still be searched.
      searchFrom = occurrence.end;
      start = this.#endWithSpace(text, occurrence);
    }
    if (start < text.length) yield start === 0 ? text : text.slice(start);
  }

  #insert(found: FoundToken): void {
    const { content } = found.token;
    let node = this.#root;
    for (let index = 0; index < content.length; index += 1) {
      const unit = content.charCodeAt(index);
      const next = node.next.get(unit) ?? { next: new Map(), found: null };
      node.next.set(unit, next);
      node = next;
    }
    requireFeature(node.found === null, "two added tokens with the same text");
    node.found = found;
  }

  /** The next token at or behind `from`; it takes no white space that lies before `textStart`. */
  #find(text: string, from: number, textStart: number): Occurrence | null {
    const firstUnits = this.#firstUnits;
    if (firstUnits === null) return null;
    firstUnits.lastIndex = from;
    while (firstUnits.test(text)) {
      const start = firstUnits.lastIndex - 1;
      const found = this.#longestAt(text, start);
      if (found === null) continue;
      const end = start + found.token.content.length;
      if (!found.token.leftStrip) return { found, start, end };
      return { found, start: Math.max(textStart, this.#spaceStart(text, start)), end };
    }
    return null;
  }

  #longestAt(text: string, start: number): FoundToken | null {
    let node: TrieNode | undefined = this.#root;
    let longest: FoundToken | null = null;
    for (let index = start; index < text.length; index += 1) {
      node = node.next.get(text.charCodeAt(index));
      if (node === undefined) break;
      longest = node.found ?? longest;
    }
    return longest;
  }

  /** Index of the white space that ends at `end`. */
  #spaceStart(text: string, end: number): number {
    let start = end;
    // White space is one UTF-16 code unit everywhere.
    while (start > 0 && this.#isSpace.test(text[start - 1] ?? "")) start -= 1;
    return start;
  }

  #endWithSpace(text: string, { found, end }: Occurrence): number {
    if (!found.token.rightStrip) return end;
    this.#spaceBehind.lastIndex = end;
    return this.#spaceBehind.test(text) ? this.#spaceBehind.lastIndex : end;
  }
}
