// spec: tokenization_kimi.py, encode and _split_whitespaces_or_nonwhitespaces
/**
 * Cuts a text where Kimi's tokenizer does before tiktoken sees it: after a number of characters,
 * and within long runs of white space or of anything else. A cut is a token boundary.
 *
 * Contract   slices cover the text. Lengths are counted in code points, white space is Python's.
 */
import { whitespaceClass } from "../../chat-template/text.ts";

/** Code points of a slice. */
const sliceLengthMax = 400_000;
/** Code points of a run that is not cut. */
const runLengthMax = 25_000;

const runs = new RegExp(`[${whitespaceClass}]+|[^${whitespaceClass}]+`, "gu");

export function textSlices(text: string): string[] {
  if (text.length <= runLengthMax) return [text];
  const slices: string[] = [];
  for (let start = 0; start < text.length; ) {
    const end = indexBehind(text, start, sliceLengthMax);
    cutRuns(text.slice(start, end), slices);
    start = end;
  }
  return slices;
}

/** Appends a slice as the parts between cuts of its runs. */
function cutRuns(slice: string, parts: string[]): void {
  let partStart = 0;
  for (const { 0: run, index } of slice.matchAll(runs)) {
    const runEnd = index + run.length;
    // As many code units hold no more code points.
    for (let runStart = index; runEnd - runStart > runLengthMax; ) {
      const cut = indexBehind(slice, runStart, runLengthMax);
      if (cut >= runEnd) break;
      parts.push(slice.slice(partStart, cut));
      partStart = cut;
      runStart = cut;
    }
  }
  parts.push(slice.slice(partStart));
}

/** Index of the code unit `count` code points behind `start`, or the end of the text. */
function indexBehind(text: string, start: number, count: number): number {
  if (text.length - start <= count) return text.length;
  let index = start;
  for (let left = count; left > 0 && index < text.length; left -= 1) {
    index += (text.codePointAt(index) ?? 0) > 0xffff ? 2 : 1;
  }
  return index;
}
