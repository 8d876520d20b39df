/**
 * The part of a document that stays: a byte buffer that grows at its end and can be cut there.
 *
 * Contract   append() copies; cut() and finish() hand out copies of exact size, so that nobody who
 *            keeps one keeps the slack of a grown buffer alive.
 */
import { assert } from "../assert.ts";

const initialBytes = 4 * 1024;

export class SpanSkeleton {
  #bytes = new Uint8Array(initialBytes);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  append(bytes: Uint8Array): void {
    const length = this.#length + bytes.length;
    if (length > this.#bytes.length) this.#grow(length);
    this.#bytes.set(bytes, this.#length);
    this.#length = length;
  }

  /** A view from `offset` to the end, valid until the next append. */
  view(offset: number): Uint8Array {
    return this.#bytes.subarray(offset, this.#length);
  }

  /** Removes everything from `offset` on and returns it. */
  cut(offset: number): Uint8Array {
    assert(offset >= 0 && offset <= this.#length, "a skeleton is cut inside its length");
    const removed = this.#bytes.slice(offset, this.#length);
    this.#length = offset;
    return removed;
  }

  /** The whole skeleton; nothing may be appended afterwards. */
  finish(): Uint8Array {
    const whole = this.#bytes.slice(0, this.#length);
    this.#bytes = new Uint8Array(0);
    return whole;
  }

  #grow(atLeast: number): void {
    const grown = new Uint8Array(Math.max(atLeast, this.#bytes.length * 2));
    grown.set(this.#bytes.subarray(0, this.#length));
    this.#bytes = grown;
  }
}
