// spec: docs/ipc-protocol.md, "Lanes"
/**
 * Push parser of a lane: chunks of the socket in, slices of the body out.
 *
 *   { u64 chunk_length | bytes }*  u64 0
 *
 * Contract   does no I/O and copies nothing. The zero is what makes a body complete: a lane that
 *            ends without it was cut.
 * Reports    FrameError for a length that is garbage and for bytes after the end.
 */
import { assert } from "../assert.ts";
import { frameBytesMax } from "../limits.ts";
import { FrameError, lengthFieldBytes, readU64 } from "./frame.ts";

export class LaneReader {
  readonly #field = new Uint8Array(lengthFieldBytes);
  #fieldFilled = 0;
  #missing = 0;
  #complete = false;

  /** Whether the end mark has been read: the body is whole. */
  get complete(): boolean {
    return this.#complete;
  }

  push(chunk: Uint8Array): Uint8Array[] {
    const slices: Uint8Array[] = [];
    let cursor = 0;
    while (cursor < chunk.byteLength) {
      if (this.#complete) throw new FrameError("bytes after the end of a lane");
      if (this.#missing > 0) {
        const end = Math.min(cursor + this.#missing, chunk.byteLength);
        slices.push(chunk.subarray(cursor, end));
        this.#missing -= end - cursor;
        cursor = end;
      } else {
        cursor += this.#takeField(chunk, cursor);
      }
    }
    assert(this.#fieldFilled < lengthFieldBytes, "a complete length field is read at once");
    assert(this.#missing === 0 || this.#fieldFilled === 0, "a length follows whole chunks only");
    return slices;
  }

  #takeField(chunk: Uint8Array, cursor: number): number {
    const taken = Math.min(lengthFieldBytes - this.#fieldFilled, chunk.byteLength - cursor);
    this.#field.set(chunk.subarray(cursor, cursor + taken), this.#fieldFilled);
    this.#fieldFilled += taken;
    if (this.#fieldFilled < lengthFieldBytes) return taken;
    this.#fieldFilled = 0;
    this.#missing = readU64(this.#field, 0);
    this.#complete = this.#missing === 0;
    if (this.#missing > frameBytesMax) {
      throw new FrameError(`lane chunk of ${this.#missing} bytes, at most ${frameBytesMax}`);
    }
    return taken;
  }
}
