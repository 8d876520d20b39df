/**
 * One finished turn as it stands in a dump, and the counting that decides how long it is held.
 *
 * Contract   a record never changes. It is held by its store, by every dump that began while it was
 *            there and by every turn in flight that compares with it; the slabs are released with
 *            the last of them.
 */
import { assert } from "../assert.ts";
import type { Slab, StoredText } from "./slab.ts";
import type { SlabArena } from "./slab-arena.ts";

export class StoredRecord {
  /** The JSON text of the record. */
  readonly text: StoredText;
  /** The parts of it that the next turn probably repeats, by stream. */
  readonly streams: ReadonlyMap<string, StoredText>;
  readonly slabs: ReadonlySet<Slab>;
  references = 0;

  constructor(text: StoredText, streams: ReadonlyMap<string, StoredText>) {
    this.text = text;
    this.streams = streams;
    this.slabs = new Set(text.extents.map((extent) => extent.slab));
  }
}

export class RecordHolds {
  readonly #arena: SlabArena;
  readonly #held = new Set<StoredRecord>();

  constructor(arena: SlabArena) {
    this.#arena = arena;
  }

  retain(record: StoredRecord): void {
    if (record.references === 0) {
      this.#held.add(record);
      for (const slab of record.slabs) this.#arena.retain(slab);
    }
    record.references += 1;
  }

  /** Lets go of records; bytes that only they used are freed or writable again. */
  release(records: Iterable<StoredRecord>): void {
    const loosened = new Set<Slab>();
    for (const record of records) {
      assert(record.references > 0, "a record is released once per hold");
      record.references -= 1;
      if (record.references > 0) continue;
      this.#held.delete(record);
      for (const slab of record.slabs) {
        this.#arena.release(slab);
        loosened.add(slab);
      }
    }
    this.#rewind(loosened);
  }

  #rewind(slabs: ReadonlySet<Slab>): void {
    const used = new Map<Slab, number>();
    for (const slab of slabs) {
      if (slab.references > 0 && !slab.claimed) used.set(slab, 0);
    }
    if (used.size === 0) return;
    for (const record of this.#held) {
      for (const { slab, end } of record.text.extents) {
        const known = used.get(slab);
        if (known !== undefined && known < end) used.set(slab, end);
      }
    }
    for (const [slab, end] of used) this.#arena.rewind(slab, end);
  }
}
