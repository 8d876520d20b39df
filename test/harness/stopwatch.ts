/**
 * Time as a process on schedule sees it: what the machine withholds from this process does not
 * count.
 *
 * Contract   a tick is due every few milliseconds; one that is late counts as if it were not. What
 *            other processes lose for want of a processor counts: for that a bound needs room.
 */
const tickMs = 5;
/** A timer may be late by a moment on any machine. */
const tickMsMax = 2 * tickMs;

export class Stopwatch implements Disposable {
  #countedMs = 0;
  #tickedAt = performance.now();
  readonly #timer = setInterval(() => this.#tick(), tickMs);

  /** Milliseconds so far. */
  get ms(): number {
    return this.#countedMs + this.#sinceTick();
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer);
  }

  #tick(): void {
    this.#countedMs += this.#sinceTick();
    this.#tickedAt = performance.now();
  }

  #sinceTick(): number {
    return Math.min(performance.now() - this.#tickedAt, tickMsMax);
  }
}
