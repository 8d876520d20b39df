/**
 * The body of a response on its way from a connection to the one who reads it.
 *
 * Contract   chunks in order, each once, to a single reader. A chunk belongs to its reader from
 *            then on, who may free it. A reader that waits gets a chunk in the tick it arrives; one
 *            that does not stops the connection after backendReadAheadBytes. A body that is not
 *            wanted any more is cancelled by return() of its iterator, also before the first
 *            next().
 * Reports    next() rejects with the failure of the connection, after the chunks before it.
 */
import { assert } from "../../assert.ts";
import { backendReadAheadBytes } from "../../limits.ts";

/** What a body needs of its connection. */
export interface BodySource {
  pause(): void;
  resume(): void;
  /** The body is not wanted any more. */
  cancel(): void;
}

type Next = IteratorResult<Uint8Array, undefined>;
const done: Next = { done: true, value: undefined };

/** open: more may come. ended, failed: what is queued is the last. cancelled: nothing is wanted. */
type State = "open" | "ended" | "failed" | "cancelled";

export class ResponseBody implements AsyncIterable<Uint8Array>, AsyncIterator<Uint8Array> {
  readonly #source: BodySource;
  #state: State = "open";
  #error: Error | null = null;
  #queue: Uint8Array[] = [];
  /** Index of the next chunk in the queue, which is emptied as a whole: shift() would move it. */
  #first = 0;
  #queuedBytes = 0;
  #isPaused = false;
  #waiting: PromiseWithResolvers<Next> | null = null;

  constructor(source: BodySource) {
    this.#source = source;
  }

  push(chunk: Uint8Array): void {
    if (this.#state === "cancelled") return;
    assert(this.#state === "open", "nothing comes after the end of a body");
    const waiting = this.#waiting;
    if (waiting !== null) {
      this.#waiting = null;
      waiting.resolve({ done: false, value: chunk });
      return;
    }
    this.#queue.push(chunk);
    this.#queuedBytes += chunk.length;
    if (this.#queuedBytes < backendReadAheadBytes || this.#isPaused) return;
    this.#isPaused = true;
    this.#source.pause();
  }

  end(): void {
    this.#finish("ended", null);
  }

  fail(error: Error): void {
    this.#finish("failed", error);
  }

  [Symbol.asyncIterator](): AsyncIterator<Uint8Array> {
    return this;
  }

  next(): Promise<Next> {
    assert(this.#waiting === null, "a body has one reader, who waits for each chunk");
    const chunk = this.#takeQueued();
    if (chunk !== undefined) return Promise.resolve({ done: false, value: chunk });
    if (this.#state === "open") {
      this.#waiting = Promise.withResolvers();
      return this.#waiting.promise;
    }
    const error = this.#error;
    this.#error = null;
    return error === null ? Promise.resolve(done) : Promise.reject(error);
  }

  return(): Promise<Next> {
    const isOpen = this.#state === "open";
    this.#state = "cancelled";
    this.#clearQueue();
    this.#error = null;
    this.#waiting?.resolve(done);
    this.#waiting = null;
    if (isOpen) this.#source.cancel();
    return Promise.resolve(done);
  }

  #finish(state: "ended" | "failed", error: Error | null): void {
    if (this.#state !== "open") return;
    this.#state = state;
    // The connection goes on without this body: it must not stay paused for it.
    if (this.#isPaused) this.#resume();
    const waiting = this.#waiting;
    this.#waiting = null;
    if (waiting === null) this.#error = error;
    else if (error === null) waiting.resolve(done);
    else waiting.reject(error);
  }

  #takeQueued(): Uint8Array | undefined {
    const chunk = this.#queue[this.#first];
    if (chunk === undefined) return undefined;
    this.#first += 1;
    this.#queuedBytes -= chunk.length;
    if (this.#first === this.#queue.length) {
      this.#clearQueue();
      if (this.#isPaused) this.#resume();
    }
    return chunk;
  }

  #clearQueue(): void {
    this.#queue = [];
    this.#first = 0;
    this.#queuedBytes = 0;
  }

  #resume(): void {
    this.#isPaused = false;
    this.#source.resume();
  }
}
