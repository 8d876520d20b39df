/**
 * Slices to a socket, in order, as fast as it takes them; nothing is copied or joined.
 *
 * Contract   `write` resolves when everything was taken, or to false when the socket closed first.
 *            One write at a time. The owner calls `drained` and `closed` from the socket's events.
 */
import type { Socket } from "bun";

/** Bytes up to which slices are joined: a copy is cheaper than another system call. */
const joinedBytesMax = 64 * 1024;

export class SliceWriter<Data> {
  readonly #socket: Socket<Data>;
  #slices: readonly Uint8Array[] = [];
  #index = 0;
  #offset = 0;
  #isClosed = false;
  #settle: ((isWritten: boolean) => void) | null = null;

  constructor(socket: Socket<Data>) {
    this.#socket = socket;
  }

  write(slices: readonly Uint8Array[]): Promise<boolean> {
    const byteLength = slices.reduce((sum, slice) => sum + slice.length, 0);
    this.#slices = byteLength <= joinedBytesMax ? [Buffer.concat(slices)] : slices;
    this.#index = 0;
    this.#offset = 0;
    return new Promise((resolve) => {
      this.#settle = resolve;
      this.drained();
    });
  }

  drained(): void {
    if (this.#settle === null) return;
    const state = this.#isClosed ? "closed" : this.#offer();
    if (state !== "full") this.#finish(state === "taken");
  }

  closed(): void {
    this.#isClosed = true;
    if (this.#settle !== null) this.#finish(false);
  }

  /** Gives the socket what it takes. */
  #offer(): "taken" | "full" | "closed" {
    for (; this.#index < this.#slices.length; this.#index += 1, this.#offset = 0) {
      const slice = this.#slices[this.#index] as Uint8Array;
      const missing = slice.length - this.#offset;
      if (missing === 0) continue;
      const taken = this.#socket.write(slice, this.#offset, missing);
      if (taken < 0) return "closed";
      this.#offset += taken;
      if (taken < missing) return "full";
    }
    return "taken";
  }

  #finish(isWritten: boolean): void {
    const settle = this.#settle;
    this.#settle = null;
    this.#slices = [];
    settle?.(isWritten);
  }
}
