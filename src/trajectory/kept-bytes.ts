/**
 * Bytes of which the beginning stays and the end is replaced, turn after turn: what a session keeps
 * of a text that grows with it.
 *
 * Contract   a replacement costs what it adds, memory included, whatever stands before it.
 * Lifetime   a view is valid until the next replacement.
 */
import { noBytes } from "../bytes.ts";

/** Room for what follows, so that not every turn copies what is kept. */
const growth = 1.25;

export class KeptBytes {
  #memory = noBytes;
  #byteLength = 0;

  get byteLength(): number {
    return this.#byteLength;
  }

  /** The first `byteLength` bytes. */
  view(byteLength: number = this.#byteLength): Uint8Array {
    return this.#memory.subarray(0, byteLength);
  }

  /** Keeps the first `keptBytes` and puts `added` behind them. */
  replaceEnd(keptBytes: number, added: Uint8Array): void {
    const byteLength = keptBytes + added.length;
    if (byteLength > this.#memory.length) {
      const isFirst = this.#memory.length === 0;
      const larger = new Uint8Array(isFirst ? byteLength : Math.ceil(byteLength * growth));
      larger.set(this.view(keptBytes));
      this.#memory = larger;
    }
    this.#memory.set(added, keptBytes);
    this.#byteLength = byteLength;
  }
}
