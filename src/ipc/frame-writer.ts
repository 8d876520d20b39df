// spec: docs/ipc-protocol.md, "Frames"
/**
 * Frames out: puts a head before each payload and queues both.
 *
 * Contract   frames leave whole and in the order of the calls.
 * Reports    FrameTooLargeError before a single byte was queued: the other frames are unharmed.
 */
import type { ByteWriter } from "./byte-writer.ts";
import { byteLengthOf, encodeFrameHead, type FrameType } from "./frame.ts";

export class FrameWriter {
  readonly #writer: ByteWriter;

  constructor(writer: ByteWriter) {
    this.#writer = writer;
  }

  send(requestId: number, type: FrameType, payload: readonly Uint8Array[]): void {
    const head = encodeFrameHead(requestId, type, byteLengthOf(payload));
    this.#writer.write([head, ...payload]);
  }
}
