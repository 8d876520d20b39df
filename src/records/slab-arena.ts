/**
 * The slabs of one session: who may write where, and when memory goes back.
 *
 * Contract   a slab lives as long as a record refers to it or a writer owns its end; then it is
 *            freed at once. Writers never share a slab's end, so turns in flight cannot mix.
 * Limits     slabs grow with what the arena holds, from slabBytesMin to slabBytesMax: a small
 *            session holds one page, a large one wastes less than a slab.
 */
import { assert } from "../assert.ts";
import { Slab } from "./slab.ts";

/** Bytes of the first slab: a page. */
export const slabBytesMin = 4 * 1024;

/** Bytes of the largest slab: the most that a session of any size holds unused at its end. */
export const slabBytesMax = 4 * 1024 * 1024;

export class SlabArena {
  readonly #slabs = new Set<Slab>();
  /** Slabs with free space that no writer owns. */
  readonly #open = new Set<Slab>();
  #retainedBytes = 0;

  /** Capacity of all slabs. */
  get retainedBytes(): number {
    return this.#retainedBytes;
  }

  /** Hands the free end of a slab to a writer that has `byteLength` bytes to write. */
  claim(byteLength: number): Slab {
    let slab: Slab | undefined;
    for (const open of this.#open) {
      if (slab === undefined || freeBytes(open) > freeBytes(slab)) slab = open;
    }
    if (slab === undefined) slab = this.#allocate(byteLength);
    this.#open.delete(slab);
    slab.claimed = true;
    return slab;
  }

  /** Takes a slab back from its writer, which had found it with `used` bytes or leaves them so. */
  unclaim(slab: Slab, used: number): void {
    assert(slab.claimed, "only a claimed slab is given back");
    slab.claimed = false;
    slab.used = used;
    this.#settle(slab);
  }

  retain(slab: Slab): void {
    slab.references += 1;
  }

  release(slab: Slab): void {
    assert(slab.references > 0, "a slab is released once per reference");
    slab.references -= 1;
    if (!slab.claimed) this.#settle(slab);
  }

  /** Makes what lies behind `used` writable again; the caller knows that no record needs it. */
  rewind(slab: Slab, used: number): void {
    assert(!slab.claimed && used <= slab.used, "only an unclaimed slab is rewound");
    slab.used = Math.max(used, slab.handedOut);
    this.#settle(slab);
  }

  /** A slab without a writer: freed, or open for the next one, or full. */
  #settle(slab: Slab): void {
    if (slab.references === 0) {
      this.#open.delete(slab);
      this.#slabs.delete(slab);
      this.#retainedBytes -= slab.capacity;
      slab.free();
    } else if (slab.used < slab.capacity) {
      this.#open.add(slab);
    }
  }

  #allocate(byteLength: number): Slab {
    const wanted = Math.max(byteLength, this.#retainedBytes / 2);
    const pages = Math.ceil(Math.min(wanted, slabBytesMax) / slabBytesMin);
    const slab = new Slab(Math.max(pages, 1) * slabBytesMin);
    this.#slabs.add(slab);
    this.#retainedBytes += slab.capacity;
    return slab;
  }
}

function freeBytes(slab: Slab): number {
  return slab.capacity - slab.used;
}
