// spec: docs/ipc-protocol.md, "Transport"
/**
 * The sending side of a byte stream as a state machine: bytes queued at any time leave in order,
 * as fast as the stream takes them.
 *
 * Contract   slices queued must not change until sent. Small slices of one tick leave in one write;
 *            large ones are never copied. `idle()` is the backpressure: it resolves when all that
 *            was queued has been taken, or false when the stream closed first.
 * Limits     none on the queue: who can wait does so with `idle()`.
 */
import { assert } from "../assert.ts";
import type { ByteStream } from "./byte-stream.ts";

/** Slices below this are gathered into one write: a copy is cheaper than a system call. */
const coalescedSliceBytesMax = 16 * 1024;
/** Bytes of one gathered write: about what a Unix socket takes at once. */
const coalescedWriteBytesMax = 128 * 1024;

/** open: nothing waits. scheduled: flushes at the end of the tick. full: waits for room. */
type WriterState = "open" | "scheduled" | "full" | "closed";

export class ByteWriter {
  readonly #stream: ByteStream;
  #state: WriterState = "open";
  #queue: Uint8Array[] = [];
  /** Index of the first slice not yet taken: the queue is cut in blocks, not shifted. */
  #first = 0;
  #idleWaiters: ((idle: boolean) => void)[] = [];

  constructor(stream: ByteStream) {
    this.#stream = stream;
  }

  get closed(): boolean {
    return this.#state === "closed";
  }

  /** Queues bytes; they are dropped when the stream is closed. */
  write(slices: readonly Uint8Array[]): void {
    if (this.#state === "closed") return;
    for (const slice of slices) if (slice.byteLength > 0) this.#queue.push(slice);
    if (this.#state === "open" && this.#waiting) {
      this.#state = "scheduled";
      queueMicrotask(() => {
        if (this.#state === "scheduled") this.#flush();
      });
    }
  }

  /** Resolves true when nothing waits to be sent, false when the stream is closed. */
  idle(): Promise<boolean> {
    if (this.#state === "closed") return Promise.resolve(false);
    if (!this.#waiting) return Promise.resolve(true);
    return new Promise((resolve) => this.#idleWaiters.push(resolve));
  }

  /** To be called when the stream has room again. */
  drained(): void {
    if (this.#state === "full") this.#flush();
  }

  /** To be called when the stream is gone: what waits is dropped. */
  close(): void {
    this.#state = "closed";
    this.#queue = [];
    this.#first = 0;
    this.#wake(false);
  }

  get #waiting(): boolean {
    return this.#first < this.#queue.length;
  }

  #flush(): void {
    this.#state = "open";
    while (this.#waiting) {
      const bytes = this.#nextWrite();
      const taken = this.#stream.write(bytes);
      if (taken < 0) {
        this.close();
        return;
      }
      assert(taken <= bytes.byteLength, "a stream takes no more than it was offered");
      this.#advance(taken);
      if (taken < bytes.byteLength) {
        this.#state = "full";
        return;
      }
    }
    this.#queue = [];
    this.#first = 0;
    this.#wake(true);
  }

  /** The first slice, or as many small ones as make one write. */
  #nextWrite(): Uint8Array {
    const first = this.#queue[this.#first];
    assert(first !== undefined, "a write has something to send");
    let end = this.#first;
    let byteLength = 0;
    for (; end < this.#queue.length; end++) {
      const slice = this.#queue[end] as Uint8Array;
      if (slice.byteLength >= coalescedSliceBytesMax) break;
      if (byteLength + slice.byteLength > coalescedWriteBytesMax) break;
      byteLength += slice.byteLength;
    }
    if (end - this.#first < 2) return first;
    const gathered = new Uint8Array(byteLength);
    let offset = 0;
    for (const slice of this.#queue.slice(this.#first, end)) {
      gathered.set(slice, offset);
      offset += slice.byteLength;
    }
    // The gathered bytes take the place of their slices, so that a short write copies them once.
    this.#first = end - 1;
    this.#queue[this.#first] = gathered;
    return gathered;
  }

  #advance(taken: number): void {
    const first = this.#queue[this.#first];
    if (first === undefined || taken === 0) return;
    if (taken < first.byteLength) {
      this.#queue[this.#first] = first.subarray(taken);
      return;
    }
    // Sent bytes must not stay reachable while the rest of the queue waits.
    this.#queue[this.#first] = empty;
    this.#first++;
    if (this.#first >= 1024) {
      this.#queue = this.#queue.slice(this.#first);
      this.#first = 0;
    }
  }

  #wake(idle: boolean): void {
    const waiters = this.#idleWaiters;
    this.#idleWaiters = [];
    for (const resolve of waiters) resolve(idle);
  }
}

const empty = new Uint8Array(0);
