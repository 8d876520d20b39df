/**
 * Keeps a text that is expected to repeat an earlier one: only what differs is stored again.
 *
 * Contract   the finished text equals what was written, byte for byte; sharing is decided by
 *            comparing bytes, never assumed. The base must stay retained until the text is stored.
 * Why so     a payload of accumulated replay starts with the whole payload of the turn before. A
 *            reply whose payload is held already is taken in faster than one that is stored anew
 *            (bench/README.md, "extent compare" and "payload store"), and memory is the scarcer of
 *            the two. Behind a difference the rest is still compared block by block at
 *            the same place, since a few recomputed tokens in the middle change nothing behind
 *            them.
 */
import type { Extent, StoredText } from "./slab.ts";
import { TextBuilder } from "./slab.ts";
import type { SlabWriter } from "./slab-writer.ts";

/** Bytes compared in one call: what is stored again at most because of one differing byte. */
const blockBytes = 64 * 1024;

/** A shared piece below this is copied: it would cost more than it saves, and pin its slab. */
export const sharedBytesMin = 64;

/** After a difference only a block of at least this is shared again. */
const resumeBytesMin = 16 * 1024;

export class SharedTextWriter {
  readonly #base: readonly Extent[];
  readonly #writer: SlabWriter;
  readonly #text = new TextBuilder();
  /** The base's extent, and the place in it, that the next written byte stands against. */
  #index = 0;
  #within = 0;
  /** Whether the last bytes were equal, and where in the base that run began. */
  #inStep = true;
  #runIndex = 0;
  #runWithin = 0;
  #runBytes = 0;
  /** Whether everything so far was equal. */
  #isPrefix = true;

  /** @param base the text that is probably repeated, or null */
  constructor(base: StoredText | null, writer: SlabWriter) {
    this.#base = base?.extents ?? [];
    this.#writer = writer;
  }

  /** Returns how many of the leading bytes continue a text that equals the base from its start. */
  write(bytes: Uint8Array): number {
    let prefixBytes = 0;
    let offset = 0;
    while (offset < bytes.length) {
      const extent = this.#base[this.#index];
      if (extent === undefined) {
        this.#keep(bytes.subarray(offset));
        break;
      }
      const start = extent.start + this.#within;
      const length = Math.min(bytes.length - offset, extent.end - start, blockBytes);
      const equal = this.#equalBytes(extent, start, bytes, offset, length);
      if (equal > 0) this.#share(equal);
      if (this.#isPrefix) prefixBytes += equal;
      this.#advance(extent, length);
      if (equal < length) this.#keep(bytes.subarray(offset + equal, offset + length));
      offset += length;
    }
    return prefixBytes;
  }

  finish(): StoredText {
    this.#endRun();
    return this.#text.finish();
  }

  /** Leading bytes of the piece that are to be shared. */
  #equalBytes(
    extent: Extent,
    start: number,
    bytes: Uint8Array,
    offset: number,
    length: number,
  ): number {
    if (!this.#inStep && length < resumeBytesMin) return 0;
    const held = extent.slab.bytes;
    if (held.compare(bytes, offset, offset + length, start, start + length) === 0) return length;
    if (!this.#inStep) return 0;
    let equal = 0;
    while (held[start + equal] === bytes[offset + equal]) equal += 1;
    return equal;
  }

  #share(byteLength: number): void {
    if (this.#runBytes === 0) {
      this.#runIndex = this.#index;
      this.#runWithin = this.#within;
      this.#inStep = true;
    }
    this.#runBytes += byteLength;
  }

  #advance(extent: Extent, byteLength: number): void {
    this.#within += byteLength;
    if (extent.start + this.#within < extent.end) return;
    this.#index += 1;
    this.#within = 0;
  }

  #keep(bytes: Uint8Array): void {
    this.#endRun();
    this.#inStep = false;
    this.#isPrefix = false;
    this.#writer.write(bytes, this.#text);
  }

  /** Adds the run of equal bytes, all in the base's extents, to the text. */
  #endRun(): void {
    const isWorthSharing = this.#runBytes >= sharedBytesMin;
    let index = this.#runIndex;
    let within = this.#runWithin;
    while (this.#runBytes > 0) {
      const extent = this.#base[index] as Extent;
      const start = extent.start + within;
      const end = Math.min(extent.end, start + this.#runBytes);
      if (isWorthSharing) {
        const isWhole = start === extent.start && end === extent.end;
        this.#text.add(isWhole ? extent : { slab: extent.slab, start, end });
      } else {
        this.#writer.write(extent.slab.bytes.subarray(start, end), this.#text);
      }
      this.#runBytes -= end - start;
      index += 1;
      within = 0;
    }
  }
}
