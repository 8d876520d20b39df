// spec: README.md, "Settings": --stream-keep-alive-seconds
/**
 * Begins the reply to a client that takes events before the model has answered, and keeps it alive:
 * clients give a silent connection up (Node's fetch and Codex after 5 minutes), and a model may
 * think for longer.
 *
 * Contract   a reply that is there within the interval is passed on as it is, errors with their
 *            status. Afterwards the stream begins with status 200: what becomes of the turn is then
 *            told by its events. A client that leaves ends its own stream only.
 * Not here   the events of each protocol (protocols/), and the turn, which knows nothing of this.
 */
import { assert } from "../assert.ts";
import { errorText, SessionError } from "../errors.ts";
import { log } from "../log.ts";
import type { Reply } from "../operation.ts";
import { eventStreamHeaders } from "../protocols/event-stream.ts";
import { type WaitingEvents, withoutEvents } from "../protocols/waiting-events.ts";
import { readBody, releaseBody } from "../stream-body.ts";
import { refusalSentence } from "./backend-refusal.ts";

/**
 * Called when a turn begins to wait for its model, if its client takes events. `events` gives the
 * same ones each time.
 */
export type OnWaiting = (events: () => WaitingEvents) => void;

/** The reply to one request, which begins early where it must. */
export class EarlyStream {
  readonly #intervalMs: number;
  readonly #startedMs = performance.now();
  #turn: Promise<Reply> | null = null;
  readonly #answer = Promise.withResolvers<Reply>();
  #timer: Timer | null = null;
  #isAnswered = false;

  /** @param intervalMs until a stream begins, and between its signs of life; 0 is never */
  constructor(intervalMs: number) {
    this.#intervalMs = intervalMs;
  }

  readonly onWaiting: OnWaiting = (events) => {
    if (this.#intervalMs === 0 || this.#isAnswered || this.#timer !== null) return;
    const waitedMs = performance.now() - this.#startedMs;
    const leftMs = Math.max(0, this.#intervalMs - waitedMs);
    this.#timer = setTimeout(() => this.#begin(events), leftMs).unref();
  };

  /** The turn's own reply, or a stream that ends with it. */
  answerWith(turn: Promise<Reply>): Promise<Reply> {
    this.#turn = turn;
    const settled = (): void => {
      this.#isAnswered = true;
      if (this.#timer !== null) clearTimeout(this.#timer);
      this.#answer.resolve(turn);
    };
    turn.then(settled, settled);
    return this.#answer.promise;
  }

  #begin(events: () => WaitingEvents): void {
    assert(this.#turn !== null, "a turn waits after it has begun");
    const chunks = new KeptAliveStream(this.#turn, events(), this.#intervalMs);
    const headers = [...eventStreamHeaders];
    this.#answer.resolve({ status: 200, headers, body: { byteLength: null, chunks } });
  }
}

const encoder = new TextEncoder();

type Slice = IteratorResult<Uint8Array>;

/** Signs of life while somebody waits for them, then the turn's own events or its failure. */
class KeptAliveStream implements AsyncIterableIterator<Uint8Array> {
  readonly #events: WaitingEvents;
  readonly #intervalMs: number;
  /** Not taken yet; signs of life are never kept. */
  readonly #slices: Uint8Array[];
  #isComplete = false;
  #isReleased = false;
  #reader: PromiseWithResolvers<Slice> | null = null;
  #timer: Timer | null = null;

  constructor(turn: Promise<Reply>, events: WaitingEvents, intervalMs: number) {
    this.#events = events;
    this.#intervalMs = intervalMs;
    this.#slices = [encoder.encode(events.opening)];
    void this.#completeWith(turn);
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  next(): Promise<Slice> {
    const reader = Promise.withResolvers<Slice>();
    this.#reader = reader;
    this.#serve();
    if (this.#reader !== null) {
      this.#timer = setTimeout(() => {
        this.#slices.push(encoder.encode(this.#events.keepAlive));
        this.#serve();
      }, this.#intervalMs).unref();
    }
    return reader.promise;
  }

  return(): Promise<Slice> {
    this.#isReleased = true;
    this.#isComplete = true;
    this.#slices.length = 0;
    this.#serve();
    return Promise.resolve({ done: true, value: undefined });
  }

  async #completeWith(turn: Promise<Reply>): Promise<void> {
    const rest = await this.#rest(turn);
    if (rest !== null) this.#slices.push(rest);
    this.#isComplete = true;
    this.#serve();
  }

  /** Null when nobody reads any more. */
  async #rest(turn: Promise<Reply>): Promise<Uint8Array | null> {
    try {
      const { status, body } = await turn;
      if (this.#isReleased) {
        releaseBody(body);
        return null;
      }
      const bytes = body instanceof Uint8Array ? body : await readBody(body.chunks);
      if (status === 200) return withoutEvents(bytes, this.#events.eventsInOpening);
      return this.#failure(status, refusalSentence(status, bytes));
    } catch (error) {
      if (error instanceof SessionError) return this.#failure(error.status, error.message);
      log.error("a reply that had begun could not be ended", error);
      return this.#failure(500, `internal error: ${errorText(error)}`);
    }
  }

  #failure(status: number, sentence: string): Uint8Array {
    return encoder.encode(this.#events.failure(status, sentence));
  }

  /** Gives the reader that waits what there is. */
  #serve(): void {
    const reader = this.#reader;
    if (reader === null) return;
    const value = this.#slices.shift();
    if (value === undefined && !this.#isComplete) return;
    this.#reader = null;
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    reader.resolve(value === undefined ? { done: true, value } : { done: false, value });
  }
}
