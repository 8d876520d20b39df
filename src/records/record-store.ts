/**
 * The records of one session, each byte of them kept once.
 *
 * Contract   a turn is received into a PayloadIngest and stored as a whole by its commit(), or not
 *            at all. Any number of turns may be in flight; each compares with what was stored when
 *            it began, and stays right when that is rolled back meanwhile. snapshot() is the state
 *            of its moment for as long as it is held, whatever happens to the store.
 * Limits     none on the size of a payload: slabs, never one buffer.
 * Not here   which turns are stored: the core decides under the session's lock.
 */
import { assert } from "../assert.ts";
import { PayloadIngest } from "./payload-ingest.ts";
import { sharedBytesMin } from "./shared-text.ts";
import { SlabArena } from "./slab-arena.ts";
import { RecordHolds, type StoredRecord } from "./stored-record.ts";

export type { PayloadIngest, RequestPart, TurnRecord } from "./payload-ingest.ts";

/** The records of one moment, to be released exactly once by whoever holds them. */
export interface RecordSnapshot {
  readonly records: readonly StoredRecord[];
  release(): void;
}

export class RecordStore {
  readonly #arena = new SlabArena();
  readonly #holds = new RecordHolds(this.#arena);
  readonly #records: StoredRecord[] = [];
  #isFreed = false;

  get recordCount(): number {
    return this.#records.length;
  }

  /** Bytes of memory held: slabs of records, of dumps that run, of turns in flight. */
  get retainedBytes(): number {
    return this.#arena.retainedBytes;
  }

  /** Begins a turn; the caller must end it with commit() or discard(). */
  beginPayloads(): PayloadIngest {
    return new PayloadIngest({
      arena: this.#arena,
      holds: this.#holds,
      newestWith: (stream) => this.#newestWith(stream),
      append: (record) => this.#append(record),
    });
  }

  /** Keeps the first `recordCount` records only. */
  rollback(recordCount: number): void {
    assert(recordCount >= 0, "a store is rolled back to a count of records");
    this.#holds.release(this.#records.splice(recordCount));
  }

  snapshot(): RecordSnapshot {
    const records = [...this.#records];
    for (const record of records) this.#holds.retain(record);
    let isHeld = true;
    return {
      records,
      release: () => {
        assert(isHeld, "a snapshot is released once");
        isHeld = false;
        this.#holds.release(records);
      },
    };
  }

  /** Frees everything at once, except what a dump or a turn in flight still needs. */
  free(): void {
    this.rollback(0);
    this.#isFreed = true;
  }

  #append(record: StoredRecord): void {
    assert(!this.#isFreed, "nothing is stored in a session that was deleted");
    this.#holds.retain(record);
    this.#records.push(record);
  }

  /**
   * The newest record that holds a text of this stream worth comparing with: the null of a turn
   * without payload must not hide the payload before it.
   */
  #newestWith(stream: string): StoredRecord | undefined {
    return this.#records.findLast(
      (record) => (record.streams.get(stream)?.byteLength ?? 0) >= sharedBytesMin,
    );
  }
}
