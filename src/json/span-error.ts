/**
 * What the span scanner reports when a document is not JSON: the place and what was expected there.
 * It is data about a peer's reply, not a bug: the caller turns it into an answer.
 */
export class SpanSyntaxError extends Error {
  override readonly name = "SpanSyntaxError";
  /** Bytes of the document before the one that does not fit. */
  readonly offset: number;
  /** What would have fitted, in words: "',' or '}'". */
  readonly expected: string;

  constructor(offset: number, expected: string) {
    super(`not JSON: expected ${expected} at byte ${offset}`);
    this.offset = offset;
    this.expected = expected;
  }
}
