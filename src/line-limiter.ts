/**
 * Keeps a log readable when a thousand sessions fail at once: so many lines a second, then a count.
 *
 * Contract   a line that is let through is told how many were held back before it.
 * Not here   which lines are limited, and a clock: the caller's.
 */

export class LineLimiter {
  readonly #linesPerSecond: number;
  /** Lines that may pass now; grows with time up to one second's worth. */
  #credit: number;
  #creditedAtMs: number;
  #heldBack = 0;

  /** @param nowMs any clock in milliseconds that does not go back */
  constructor(linesPerSecond: number, nowMs: number) {
    this.#linesPerSecond = linesPerSecond;
    this.#credit = linesPerSecond;
    this.#creditedAtMs = nowMs;
  }

  /** How many lines were held back since the last one that passed; null holds this one back too. */
  admit(nowMs: number): number | null {
    const earned = ((nowMs - this.#creditedAtMs) / 1000) * this.#linesPerSecond;
    this.#credit = Math.min(this.#linesPerSecond, this.#credit + earned);
    this.#creditedAtMs = nowMs;
    if (this.#credit < 1) {
      this.#heldBack++;
      return null;
    }
    this.#credit--;
    return this.takeHeldBack();
  }

  /** The lines held back so far, which are then forgotten. */
  takeHeldBack(): number {
    const heldBack = this.#heldBack;
    this.#heldBack = 0;
    return heldBack;
  }
}
