// spec: docs/ipc-protocol.md, "Transport"
/**
 * The sending side of a byte stream as a state machine: bytes queued at any time leave in order,
 * as fast as the stream takes them.
 *
 * Contract   slices queued must not change until sent. Small slices of one turn of the event loop
 *            leave in one write; large ones are never copied. `idle()` is the backpressure: it
 *            resolves when all that was queued has been taken, to false when the stream closed
 *            first.
 * Limits     none on the queue: who can wait does so with `idle()`.
 * Why so     a write costs less than what it wakes: one that finds the peer asleep is a switch of
 *            processes on either side. What the events of one poll have to say leaves together,
 *            and a head does not leave before a small body.
 */
import { assert } from "../assert.ts";
import { noBytes } from "../bytes.ts";
import type { ByteStream } from "./byte-stream.ts";

/** Slices below this are gathered into one write: a copy is cheaper than a system call. */
const coalescedSliceBytesMax = 64 * 1024;
/** Bytes of one gathered write: about what a Unix socket takes at once. */
const coalescedWriteBytesMax = 128 * 1024;

/**
 * Where writes are gathered, shared by all writers, since a stream takes what it takes at once. An
 * array for each write would be half of what a router allocates, and as much of its collector's
 * work.
 */
const gathered = new Uint8Array(coalescedWriteBytesMax);

/** open: nothing waits. scheduled: flushes before the next poll. full: waits for room. */
type WriterState = "open" | "scheduled" | "full" | "closed";

export class ByteWriter {
  readonly #stream: ByteStream;
  #state: WriterState = "open";
  #queue: Uint8Array[] = [];
  /** Index of the first slice not yet taken: the queue is cut in blocks, not shifted. */
  #first = 0;
  #idleWaiters: ((idle: boolean) => void)[] = [];
  /** Bytes queued since the last flush. */
  #scheduledBytes = 0;
  readonly #flushScheduled = () => this.flush();

  constructor(stream: ByteStream) {
    this.#stream = stream;
  }

  get closed(): boolean {
    return this.#state === "closed";
  }

  /** Queues bytes; they are dropped when the stream is closed. */
  write(slices: readonly Uint8Array[]): void {
    if (this.#state === "closed") return;
    for (const slice of slices) {
      if (slice.byteLength === 0) continue;
      this.#queue.push(slice);
      this.#scheduledBytes += slice.byteLength;
    }
    if (this.#state === "open" && this.#waiting) {
      this.#state = "scheduled";
      setImmediate(this.#flushScheduled);
    }
    // Nothing is gained by waiting once a whole write is there.
    if (this.#scheduledBytes >= coalescedWriteBytesMax) this.flush();
  }

  /** Offers what is queued now, for an owner that may close the stream before the next poll. */
  flush(): void {
    if (this.#state === "scheduled") this.#flush();
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
    this.#scheduledBytes = 0;
    while (this.#waiting) {
      const bytes = this.#nextWrite();
      const taken = this.#stream.write(bytes);
      if (taken < 0) this.close();
      if (this.closed) return;
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
    let offset = 0;
    for (let index = this.#first; index < end; index++) {
      const slice = this.#queue[index] as Uint8Array;
      gathered.set(slice, offset);
      offset += slice.byteLength;
    }
    return gathered.subarray(0, byteLength);
  }

  /** Takes `taken` bytes off the front of the queue. */
  #advance(taken: number): void {
    let left = taken;
    while (left > 0) {
      const first = this.#queue[this.#first];
      assert(first !== undefined, "only what is queued is taken");
      if (left < first.byteLength) {
        this.#queue[this.#first] = first.subarray(left);
        return;
      }
      left -= first.byteLength;
      // Sent bytes must not stay reachable while the rest of the queue waits.
      this.#queue[this.#first] = noBytes;
      this.#first++;
    }
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
