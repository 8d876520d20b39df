/**
 * The slabs of one session: who may write where, and when memory goes back.
 *
 * Contract   a slab lives as long as a record refers to it or a writer owns its end; then it is
 *            freed at once. Writers never share a slab's end, so turns in flight cannot mix.
 *            A slab takes the bytes of one stream or of none: what turn after turn adds to a
 *            stream's text stands one behind the other, so that the text is few extents.
 * Limits     slabs grow with what the arena holds of a stream, from slabBytesMin to slabBytesMax: a
 *            small session holds one of them a stream, a large one wastes less than a slab of each.
 */
import { assert } from "../assert.ts";
import { Slab } from "./slab.ts";

/** Bytes of the smallest slab, and what the others are a multiple of. */
export const slabBytesMin = 1024;

/** Bytes of the largest slab: the most that a session of any size holds unused at its end. */
export const slabBytesMax = 4 * 1024 * 1024;

export class SlabArena {
  readonly #slabs = new Set<Slab>();
  /** Slabs with free space that no writer owns. */
  readonly #open = new Set<Slab>();
  #retainedBytes = 0;
  readonly #streamBytes = new Map<string | null, number>();

  /** Capacity of all slabs. */
  get retainedBytes(): number {
    return this.#retainedBytes;
  }

  /**
   * Hands the free end of a slab to a writer that has `byteLength` bytes of a stream to write: of
   * several the fullest, so that a text goes on where it ended.
   */
  claim(byteLength: number, stream: string | null = null): Slab {
    let slab: Slab | undefined;
    for (const open of this.#open) {
      if (open.stream !== stream) continue;
      if (slab === undefined || freeBytes(open) < freeBytes(slab)) slab = open;
    }
    if (slab === undefined) slab = this.#allocate(byteLength, stream);
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
      this.#count(slab.stream, -slab.capacity);
      slab.free();
    } else if (slab.used < slab.capacity) {
      this.#open.add(slab);
    }
  }

  #allocate(byteLength: number, stream: string | null): Slab {
    const wanted = Math.max(byteLength, (this.#streamBytes.get(stream) ?? 0) / 2);
    const units = Math.ceil(Math.min(wanted, slabBytesMax) / slabBytesMin);
    const slab = new Slab(Math.max(units, 1) * slabBytesMin, stream);
    this.#slabs.add(slab);
    this.#count(stream, slab.capacity);
    return slab;
  }

  #count(stream: string | null, bytes: number): void {
    this.#retainedBytes += bytes;
    this.#streamBytes.set(stream, (this.#streamBytes.get(stream) ?? 0) + bytes);
  }
}

function freeBytes(slab: Slab): number {
  return slab.capacity - slab.used;
}
