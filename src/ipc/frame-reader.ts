// spec: docs/ipc-protocol.md, "Frames"
/**
 * Push parser: chunks of any size in, whole frames out.
 *
 * Contract   does no I/O and copies no payload: a frame's payload are slices of the chunks pushed,
 *            which must not change afterwards. Frames come out in order, each exactly once.
 * Reports    FrameError for a length, request id or type that no peer of ours sends; the reader
 *            takes nothing more after it.
 * Limits     frameBytesMax. A frame is held until it is whole: large bodies travel by lane.
 */
import { assert } from "../assert.ts";
import { frameBytesMax } from "../limits.ts";
import {
  countedHeadBytes,
  type Frame,
  FrameError,
  type FrameType,
  frameHeadBytes,
  isFrameType,
  lengthFieldBytes,
  readU64,
} from "./frame.ts";

interface OpenFrame {
  readonly requestId: number;
  readonly type: FrameType;
  readonly payload: Uint8Array[];
}

export class FrameReader {
  readonly #head = new Uint8Array(frameHeadBytes);
  #headFilled = 0;
  #open: OpenFrame | null = null;
  #payloadMissing = 0;
  #broken = false;

  /** Takes the next chunk of the stream and returns the frames that it completes. */
  push(chunk: Uint8Array): Frame[] {
    if (this.#broken) throw new FrameError("frames cannot be found again after garbage");
    const frames: Frame[] = [];
    let cursor = 0;
    while (cursor < chunk.byteLength) {
      cursor += this.#open === null ? this.#takeHead(chunk, cursor) : this.#take(chunk, cursor);
      if (this.#open !== null && this.#payloadMissing === 0) {
        frames.push(this.#open);
        this.#open = null;
        this.#headFilled = 0;
      }
    }
    this.#checkInvariants();
    return frames;
  }

  #takeHead(chunk: Uint8Array, cursor: number): number {
    const taken = Math.min(frameHeadBytes - this.#headFilled, chunk.byteLength - cursor);
    this.#head.set(chunk.subarray(cursor, cursor + taken), this.#headFilled);
    const filledBefore = this.#headFilled;
    this.#headFilled += taken;
    // A garbage length is reported before its frame is waited for.
    if (filledBefore < lengthFieldBytes && this.#headFilled >= lengthFieldBytes) this.#readLength();
    if (this.#headFilled === frameHeadBytes) this.#openFrame();
    return taken;
  }

  #readLength(): void {
    const length = readU64(this.#head, 0);
    if (length < countedHeadBytes || length > frameBytesMax) {
      this.#fail(`frame length ${length} is outside ${countedHeadBytes}..${frameBytesMax}`);
    }
    this.#payloadMissing = length - countedHeadBytes;
  }

  #openFrame(): void {
    const requestId = readU64(this.#head, lengthFieldBytes);
    if (!Number.isSafeInteger(requestId)) this.#fail("request id is above 2^53 - 1");
    const type = this.#head[frameHeadBytes - 1] ?? 0;
    if (!isFrameType(type)) this.#fail(`unknown frame type ${type}`);
    this.#open = { requestId, type, payload: [] };
  }

  #take(chunk: Uint8Array, cursor: number): number {
    assert(this.#open !== null, "payload bytes belong to an open frame");
    const taken = Math.min(this.#payloadMissing, chunk.byteLength - cursor);
    this.#open.payload.push(chunk.subarray(cursor, cursor + taken));
    this.#payloadMissing -= taken;
    return taken;
  }

  #fail(reason: string): never {
    this.#broken = true;
    throw new FrameError(reason);
  }

  #checkInvariants(): void {
    assert(this.#headFilled <= frameHeadBytes, "a head has 17 bytes");
    assert(this.#payloadMissing >= 0, "no more payload is taken than a frame has");
    assert(
      (this.#open !== null) === (this.#headFilled === frameHeadBytes),
      "a frame is open exactly while its head is complete",
    );
    assert(
      this.#open === null || this.#payloadMissing > 0,
      "a complete frame is handed out by the push that completes it",
    );
  }
}
