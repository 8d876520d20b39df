/**
 * Sets of code points as sorted boundaries: at each one, membership changes. [97, 123] is a-z.
 *
 * Contract   immutable; union, intersection and complement take time linear in the boundaries.
 *            Surrogates are code points like others: well-formed text never asks for them.
 */

/** One more than the last code point. */
const codePointCount = 0x11_0000;

/** Digits of the written form: boundaries as differences in base 36, separated by spaces. */
const writtenRadix = 36;

export class CodePointSet {
  static readonly empty = new CodePointSet([]);

  readonly #boundaries: readonly number[];

  private constructor(boundaries: readonly number[]) {
    this.#boundaries = boundaries;
  }

  /** All code points from `first` to `last`, both included. */
  static range(first: number, last: number): CodePointSet {
    return new CodePointSet([first, last + 1]);
  }

  /** Adjacent and overlapping ranges become one. `ranges` are [first, last] in ascending order. */
  static fromRanges(ranges: Iterable<readonly [number, number]>): CodePointSet {
    const boundaries: number[] = [];
    for (const [first, last] of ranges) {
      const end = boundaries.at(-1) ?? -1;
      if (first <= end) boundaries[boundaries.length - 1] = Math.max(end, last + 1);
      else boundaries.push(first, last + 1);
    }
    return new CodePointSet(boundaries);
  }

  /** Reads what `written` gives. */
  static parse(text: string): CodePointSet {
    if (text === "") return CodePointSet.empty;
    let boundary = 0;
    return new CodePointSet(
      text.split(" ").map((difference) => {
        boundary += Number.parseInt(difference, writtenRadix);
        return boundary;
      }),
    );
  }

  /** A compact form for data files. */
  written(): string {
    return this.#boundaries
      .map((boundary, index) =>
        (boundary - (this.#boundaries[index - 1] ?? 0)).toString(writtenRadix),
      )
      .join(" ");
  }

  get isEmpty(): boolean {
    return this.#boundaries.length === 0;
  }

  /** [first, last] of each range, in ascending order. */
  *ranges(): Generator<readonly [number, number]> {
    for (let index = 0; index < this.#boundaries.length; index += 2) {
      const first = this.#boundaries[index] ?? 0;
      yield [first, (this.#boundaries[index + 1] ?? codePointCount) - 1];
    }
  }

  has(codePoint: number): boolean {
    let low = 0;
    let high = this.#boundaries.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#boundaries[middle] ?? codePointCount) <= codePoint) low = middle + 1;
      else high = middle;
    }
    return low % 2 === 1;
  }

  union(other: CodePointSet): CodePointSet {
    return this.#combine(other, 1);
  }

  intersection(other: CodePointSet): CodePointSet {
    return this.#combine(other, 2);
  }

  complement(): CodePointSet {
    const boundaries =
      this.#boundaries[0] === 0 ? this.#boundaries.slice(1) : [0, ...this.#boundaries];
    if (boundaries.at(-1) === codePointCount) boundaries.pop();
    else boundaries.push(codePointCount);
    return new CodePointSet(boundaries);
  }

  /** A character class for a RegExp with the flag `u`; the empty set matches nothing. */
  characterClass(): string {
    const members: string[] = [];
    for (const [first, last] of this.ranges()) {
      members.push(first === last ? escaped(first) : `${escaped(first)}-${escaped(last)}`);
    }
    return `[${members.join("")}]`;
  }

  /** What is in at least `needed` of the two sets. */
  #combine(other: CodePointSet, needed: number): CodePointSet {
    const left = this.#boundaries;
    const right = other.#boundaries;
    const boundaries: number[] = [];
    let [leftIndex, rightIndex] = [0, 0];
    let isInside = false;
    while (leftIndex < left.length || rightIndex < right.length) {
      const leftBoundary = left[leftIndex] ?? Number.POSITIVE_INFINITY;
      const rightBoundary = right[rightIndex] ?? Number.POSITIVE_INFINITY;
      const boundary = Math.min(leftBoundary, rightBoundary);
      if (leftBoundary === boundary) leftIndex += 1;
      if (rightBoundary === boundary) rightIndex += 1;
      const isNowInside = (leftIndex % 2) + (rightIndex % 2) >= needed;
      if (isNowInside !== isInside) boundaries.push(boundary);
      isInside = isNowInside;
    }
    return new CodePointSet(boundaries);
  }
}

function escaped(codePoint: number): string {
  return `\\u{${codePoint.toString(16)}}`;
}
