// spec: docs/ipc-protocol.md, "Lanes"
/**
 * Streams one body into a lane at the pace of its reader.
 *
 * Contract   at most one chunk of the body waits to be sent. The source is always released: read to
 *            its end, or its `return()` called as soon as the lane is gone.
 * Reports    a source that throws ends the lane without the end mark: the reader sees it cut. The
 *            reason is in this process's log.
 */
import { errorText } from "../errors.ts";
import { logFailure } from "../log.ts";
import { releaseIterator } from "../stream-body.ts";
import type { ByteWriter } from "./byte-writer.ts";
import { lengthFieldBytes, writeU64 } from "./frame.ts";

export class LaneSender {
  readonly #source: AsyncIterator<Uint8Array>;
  readonly #writer: ByteWriter;
  #released = false;

  constructor(chunks: AsyncIterable<Uint8Array>, writer: ByteWriter) {
    this.#source = chunks[Symbol.asyncIterator]();
    this.#writer = writer;
  }

  /** Resolves true when the whole body and its end mark were taken, false when the lane was cut. */
  async run(): Promise<boolean> {
    try {
      for (;;) {
        const { done, value } = await this.#source.next();
        if (done === true) {
          this.#released = true;
          this.#writer.write([lengthField(0)]);
          return await this.#writer.idle();
        }
        if (value.byteLength === 0) continue;
        this.#writer.write([lengthField(value.byteLength), value]);
        if (!(await this.#writer.idle())) break;
      }
    } catch (error) {
      this.#released = true;
      logFailure("a body broke off while it was streamed", { reason: errorText(error) });
      return false;
    }
    this.release();
    return false;
  }

  /** The lane is gone: lets the source go, also while it works on its next chunk. */
  release(): void {
    if (this.#released) return;
    this.#released = true;
    releaseIterator(this.#source);
  }
}

function lengthField(byteLength: number): Uint8Array {
  const field = new Uint8Array(lengthFieldBytes);
  writeU64(field, 0, byteLength);
  return field;
}
