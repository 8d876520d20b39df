// spec: docs/ipc-protocol.md, "Lanes"
/**
 * The reading end of a lane as an async iterable of slices.
 *
 * Contract   reads ahead at most laneReadAheadBytes, then the sender waits. `return()` closes the
 *            lane, also before the first slice was asked for. One consumer, one pass.
 * Reports    LaneCutError, after the slices that arrived, when the lane ends before its end mark.
 * Not here   the death of a sender whose lane is paused: the supervisor sees it.
 */
import { assert } from "../assert.ts";
import { laneReadAheadBytes } from "../limits.ts";
import type { ByteStream, ByteStreamHandlers } from "./byte-stream.ts";
import { ByteWriter } from "./byte-writer.ts";
import { frameTypes } from "./frame.ts";
import { FrameWriter } from "./frame-writer.ts";
import { LaneReader } from "./lane-reader.ts";
import { encodeLaneToken, type LaneToken } from "./lane-token.ts";

/** A body ended before its end: the worker died, or could not go on. */
export class LaneCutError extends Error {
  override readonly name = "LaneCutError";
}

export class LaneReceiver
  implements ByteStreamHandlers, AsyncIterableIterator<Uint8Array, undefined>
{
  readonly #stream: ByteStream;
  readonly #writer: ByteWriter;
  readonly #reader = new LaneReader();
  /** What arrived, in order. */
  #arrived: Uint8Array[] = [];
  /** What arrived before that, the first one last: `pop` moves no other. */
  #leaving: Uint8Array[] = [];
  #heldBytes = 0;
  #paused = false;
  #end: "open" | "complete" | "released" | LaneCutError = "open";
  #wake: (() => void) | null = null;
  readonly #claimed = Promise.withResolvers<void>();

  /** Claims the lane of `token` on a fresh connection to the worker that offered it. */
  constructor(stream: ByteStream, token: LaneToken) {
    this.#stream = stream;
    this.#writer = new ByteWriter(stream);
    new FrameWriter(this.#writer).send(0, frameTypes.lane, [encodeLaneToken(token)]);
    // Sent at once: a reader that left before would leave the body to wait for its claim.
    this.#writer.flush();
  }

  /** Resolves when the sender has the claim, told by its first bytes, or when the lane is over. */
  get claimed(): Promise<void> {
    return this.#claimed.promise;
  }

  received(chunk: Uint8Array): void {
    this.#claimed.resolve();
    if (this.#end !== "open") return;
    try {
      for (const slice of this.#reader.push(chunk)) {
        this.#arrived.push(slice);
        this.#heldBytes += slice.byteLength;
      }
    } catch (error) {
      this.#finish(new LaneCutError("a lane carried garbage", { cause: error }));
      return;
    }
    if (this.#reader.complete) this.#finish("complete");
    else if (this.#heldBytes > laneReadAheadBytes) this.#pause();
    this.#wakeConsumer();
  }

  drained(): void {
    this.#writer.drained();
  }

  closed(error: Error | null): void {
    this.#writer.close();
    this.#finish(new LaneCutError("a reply was cut off", { cause: error }));
  }

  async next(): Promise<IteratorResult<Uint8Array, undefined>> {
    while (this.#heldBytes === 0 && this.#end === "open") {
      assert(this.#wake === null, "a lane has one consumer");
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
    const value = this.#take();
    if (value !== undefined) {
      if (this.#paused && this.#heldBytes <= laneReadAheadBytes / 2) this.#resume();
      return { done: false, value };
    }
    if (this.#end instanceof LaneCutError) throw this.#end;
    return { done: true, value: undefined };
  }

  return(): Promise<IteratorResult<Uint8Array, undefined>> {
    this.#arrived = [];
    this.#leaving = [];
    this.#heldBytes = 0;
    this.#finish("released");
    return Promise.resolve({ done: true, value: undefined });
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  #take(): Uint8Array | undefined {
    if (this.#leaving.length === 0) {
      this.#leaving = this.#arrived.reverse();
      this.#arrived = [];
    }
    const value = this.#leaving.pop();
    this.#heldBytes -= value?.byteLength ?? 0;
    return value;
  }

  #finish(end: "complete" | "released" | LaneCutError): void {
    if (this.#end !== "open") return;
    this.#end = end;
    this.#claimed.resolve();
    // A paused socket would not see its own close.
    this.#resume();
    this.#stream.close();
    this.#wakeConsumer();
  }

  #pause(): void {
    if (this.#paused) return;
    this.#paused = true;
    this.#stream.pause();
  }

  #resume(): void {
    if (!this.#paused) return;
    this.#paused = false;
    this.#stream.resume();
  }

  #wakeConsumer(): void {
    const wake = this.#wake;
    this.#wake = null;
    wake?.();
  }
}
