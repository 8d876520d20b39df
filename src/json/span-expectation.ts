/**
 * What the span scanner may meet between two tokens, and its words for the reader of an error.
 */

export type Expectation =
  | "document"
  | "value"
  | "valueOrEnd"
  | "key"
  | "keyOrEnd"
  | "colon"
  | "commaOrEnd"
  | "nothing";

const texts: Record<Exclude<Expectation, "commaOrEnd">, string> = {
  document: "a value",
  value: "a value",
  valueOrEnd: "a value or ']'",
  key: "a key",
  keyOrEnd: "a key or '}'",
  colon: "':'",
  nothing: "the end of the document",
};

export function expectedText(expectation: Expectation, inObject: boolean): string {
  if (expectation !== "commaOrEnd") return texts[expectation];
  return inObject ? "',' or '}'" : "',' or ']'";
}
