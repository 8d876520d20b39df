/**
 * Finds the blank line that ends a block of header or trailer lines, wherever the chunks are cut.
 *
 * Contract   reads each byte once and keeps none. Lines end in CRLF only: a recipient that takes a
 *            bare LF as well (RFC 9112, 2.2, allows it) can be made to see another message than the
 *            proxy before it, and no server needs it.
 * Reports    MalformedResponseError on a bare LF and on a block beyond backendHeaderBytesMax.
 */
import { backendHeaderBytesMax } from "../../limits.ts";
import { MalformedResponseError } from "./malformed-response.ts";

const carriageReturn = 0x0d;
const lineFeed = 0x0a;

export class HeaderBlockEnd {
  /** Bytes of the block so far. */
  byteLength = 0;
  /** Bytes of the current line so far. */
  #lineBytes = 0;
  #previous = 0;

  /** Reads on at `at`; returns the index after the blank line, or -1 when it is yet to come. */
  find(chunk: Uint8Array, at: number): number {
    const end = Math.min(chunk.length, at + backendHeaderBytesMax - this.byteLength);
    for (let index = at; index < end; index += 1) {
      const byte = chunk[index] as number;
      if (byte === lineFeed) {
        if (this.#previous !== carriageReturn) {
          throw new MalformedResponseError("CRLF at the end of a line", "\n");
        }
        if (this.#lineBytes === 1) {
          this.byteLength += index + 1 - at;
          return index + 1;
        }
        this.#lineBytes = 0;
      } else {
        this.#lineBytes += 1;
      }
      this.#previous = byte;
    }
    if (end < chunk.length) {
      throw new MalformedResponseError(`at most ${backendHeaderBytesMax} bytes of headers`, "more");
    }
    this.byteLength += end - at;
    return -1;
  }
}
