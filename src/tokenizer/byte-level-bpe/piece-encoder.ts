/**
 * Text between added tokens to token ids: cut into pieces, each piece looked up or merged.
 *
 * Contract   appends to a list of ids. Text is cut and encoded to UTF-8 in windows of whole pieces,
 *            so that memory does not grow with the text, and a caller may do other things between
 *            two of them; only a piece that is longer than a window takes its own size.
 */
import { assert } from "../../assert.ts";
import type { BytePairModel } from "./model-reader.ts";
import { PairMerger } from "./pair-merger.ts";
import { cachedPieceBytesMax, PieceCache } from "./piece-cache.ts";
import type { PreTokenizer } from "./pre-tokenizer.ts";
import { hashBytes, type Vocabulary } from "./vocabulary.ts";

/** UTF-16 code units that a window has room for. */
const windowUnits = 2 ** 14;

/** Code units of a window behind which it takes no more pieces. */
const filledUnits = windowUnits / 2;

/** A code unit is at most this many bytes of UTF-8. */
const bytesPerUnit = 3;

export class PieceEncoder {
  readonly #preTokenizer: PreTokenizer;
  readonly #merger: PairMerger;
  /** Tokens by bytes, where a whole piece that is a token needs no merging. */
  readonly #wholePieces: Vocabulary | null;
  readonly #cache = new PieceCache();
  readonly #utf8 = new TextEncoder();
  readonly #window = new Uint8Array(bytesPerUnit * windowUnits);

  constructor(model: BytePairModel, preTokenizer: PreTokenizer) {
    this.#preTokenizer = preTokenizer;
    this.#merger = new PairMerger(model.merges, model.byteTokens);
    this.#wholePieces = model.ignoreMerges ? model.vocabulary : null;
  }

  /** @param text well-formed */
  encode(text: string, target: number[]): void {
    for (let start = 0; start < text.length; ) start = this.#encodeFrom(text, start, target);
  }

  /** Does the same, a window with each step. */
  *encodeInSteps(text: string, target: number[]): Generator<void, void> {
    for (let start = 0; start < text.length; ) {
      start = this.#encodeFrom(text, start, target);
      yield;
    }
  }

  /** Encodes a window and returns where the next one starts. */
  #encodeFrom(text: string, start: number, target: number[]): number {
    const { ends, count } = this.#preTokenizer.split(text, start, filledUnits);
    const end = ends[count - 1] as number;
    const isWhole = start === 0 && end === text.length;
    const window = isWhole ? text : text.slice(start, end);
    this.#encodeWindow(window, start, ends, count, target);
    return end;
  }

  /** Encodes the pieces of which `text` consists. */
  #encodeWindow(
    text: string,
    textStart: number,
    ends: Int32Array,
    count: number,
    target: number[],
  ): void {
    const bytesMax = bytesPerUnit * text.length;
    const bytes = bytesMax <= this.#window.length ? this.#window : new Uint8Array(bytesMax);
    const { read, written } = this.#utf8.encodeInto(text, bytes);
    assert(read === text.length, "a window has room for its text");
    let byteStart = 0;
    let unit = textStart;
    for (let piece = 0; piece < count; piece += 1) {
      const end = ends[piece] as number;
      // With ASCII alone, bytes and code units are one and the same.
      const byteEnd =
        written === text.length ? end - textStart : byteIndex(bytes, byteStart, end - unit);
      this.#encodePiece(bytes, byteStart, byteEnd, target);
      byteStart = byteEnd;
      unit = end;
    }
    assert(byteStart === written, "pieces cover the text");
  }

  #encodePiece(bytes: Uint8Array, start: number, end: number, target: number[]): void {
    const isCached = end - start <= cachedPieceBytesMax;
    const hash = isCached || this.#wholePieces !== null ? hashBytes(bytes, start, end) : 0;
    if (isCached && this.#cache.append(bytes, start, end, hash, target)) return;
    const whole = this.#wholePieces?.find(bytes, start, end, hash) ?? -1;
    if (whole >= 0) {
      target.push(whole);
      return;
    }
    const { tokens, count } = this.#merger.merge(bytes, start, end);
    for (let index = 0; index < count; index += 1) target.push(tokens[index] as number);
    if (isCached) this.#cache.add(bytes, start, end, hash, tokens, count);
  }
}

/** Index of the byte that lies `units` UTF-16 code units behind the one at `start`. */
function byteIndex(bytes: Uint8Array, start: number, units: number): number {
  let index = start;
  let left = units;
  while (left > 0) {
    const byte = bytes[index] as number;
    if (byte < 0x80) index += 1;
    else if (byte < 0xe0) index += 2;
    else if (byte < 0xf0) index += 3;
    else {
      // Beyond the basic plane: a surrogate pair.
      index += 4;
      left -= 1;
    }
    left -= 1;
  }
  return index;
}
