/**
 * Cuts text into the pieces that the model sees one by one: the Split pre-tokenizers of a
 * definition, each applied to the pieces of the one before.
 *
 * Contract   pieces cover the text; each piece is a match or what lies between two ("Isolated").
 */

/** Pieces of a text as the index behind each, in UTF-16 code units. */
export interface Pieces {
  readonly ends: Int32Array;
  readonly count: number;
}

const initialPieces = 2 ** 12;

/** Pieces that are kept room for between texts. */
const keptPiecesMax = 2 ** 18;

export class PreTokenizer {
  /** With the flags `u` and `y`; no one of them matches the empty text. */
  readonly #patterns: readonly RegExp[];
  /** The same patterns with `g`: finds the next match behind text that none matches. */
  readonly #searches: readonly RegExp[];
  #ends = new Int32Array(initialPieces);
  #count = 0;

  constructor(patterns: readonly RegExp[]) {
    this.#patterns = patterns;
    this.#searches = patterns.map((pattern) => new RegExp(pattern.source, "gu"));
  }

  /**
   * The pieces of a text that is not empty; valid until the next call.
   *
   * @param from where pieces begin: 0, or the end of a piece
   * @param units UTF-16 code units behind which no match is looked for any more, so that a long
   *   text can be split part by part
   */
  split(text: string, from = 0, units = text.length): Pieces {
    this.#count = 0;
    if (this.#ends.length > keptPiecesMax) this.#ends = new Int32Array(initialPieces);
    this.#splitFrom(0, text, 0, from, from + units);
    return { ends: this.#ends, count: this.#count };
  }

  /**
   * Splits with the pattern at `stage` and those behind it. `offset` is where `text` starts, `from`
   * and `until` are indices into it.
   */
  #splitFrom(stage: number, text: string, offset: number, from: number, until: number): void {
    const pattern = this.#patterns[stage];
    if (pattern === undefined) {
      this.#add(offset + text.length);
      return;
    }
    const isLast = stage + 1 === this.#patterns.length;
    let start = from;
    while (start < text.length && start < until) {
      pattern.lastIndex = start;
      const end = pattern.test(text) ? pattern.lastIndex : this.#nextMatch(stage, text, start);
      if (isLast) this.#add(offset + end);
      else this.#splitFrom(stage + 1, text.slice(start, end), offset + start, 0, end - start);
      start = end;
    }
  }

  /** Where the next match behind `start` begins; the end of the text when there is none. */
  #nextMatch(stage: number, text: string, start: number): number {
    const search = this.#searches[stage];
    if (search === undefined) return text.length;
    search.lastIndex = start;
    return search.exec(text)?.index ?? text.length;
  }

  #add(end: number): void {
    if (this.#count === this.#ends.length) {
      const larger = new Int32Array(2 * this.#ends.length);
      larger.set(this.#ends);
      this.#ends = larger;
    }
    this.#ends[this.#count] = end;
    this.#count += 1;
  }
}
