/**
 * Writes bytes of one turn and one stream into slabs that it owns until the turn is stored or
 * dropped.
 *
 * Contract   bytes are copied; what was written before this writer is never touched. Exactly one of
 *            commit() and discard() ends it; after discard() the arena is as if it had never been.
 */
import type { Slab, TextBuilder } from "./slab.ts";
import type { SlabArena } from "./slab-arena.ts";

interface Claim {
  readonly slab: Slab;
  /** Bytes that were in use when the slab was claimed. */
  readonly usedBefore: number;
}

export class SlabWriter {
  readonly #arena: SlabArena;
  readonly #stream: string | null;
  readonly #claims: Claim[] = [];
  #slab: Slab | null = null;

  /** @param stream that the bytes belong to; null when to none */
  constructor(arena: SlabArena, stream: string | null = null) {
    this.#arena = arena;
    this.#stream = stream;
  }

  write(bytes: Uint8Array, text: TextBuilder): void {
    let offset = 0;
    while (offset < bytes.length) {
      const slab = this.#writableSlab(bytes.length - offset);
      const start = slab.used;
      const end = Math.min(slab.capacity, start + bytes.length - offset);
      const piece =
        end - start === bytes.length ? bytes : bytes.subarray(offset, offset + end - start);
      slab.bytes.set(piece, start);
      slab.used = end;
      text.add({ slab, start, end });
      offset += end - start;
    }
  }

  /** Keeps what records refer to by now. */
  commit(): void {
    this.#end((claim) => claim.slab.used);
  }

  discard(): void {
    this.#end((claim) => claim.usedBefore);
  }

  #end(used: (claim: Claim) => number): void {
    for (const claim of this.#claims) this.#arena.unclaim(claim.slab, used(claim));
    this.#claims.length = 0;
    this.#slab = null;
  }

  #writableSlab(byteLength: number): Slab {
    if (this.#slab !== null && this.#slab.used < this.#slab.capacity) return this.#slab;
    const slab = this.#arena.claim(byteLength, this.#stream);
    this.#claims.push({ slab, usedBefore: slab.used });
    this.#slab = slab;
    return slab;
  }
}
