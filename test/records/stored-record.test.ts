import { describe, expect, test } from "bun:test";
import { type StoredText, TextBuilder } from "../../src/records/slab.ts";
import { SlabArena } from "../../src/records/slab-arena.ts";
import { SlabWriter } from "../../src/records/slab-writer.ts";
import { RecordHolds, StoredRecord } from "../../src/records/stored-record.ts";

function written(arena: SlabArena, text: string): { text: StoredText; commit: () => void } {
  const writer = new SlabWriter(arena);
  const builder = new TextBuilder();
  writer.write(Buffer.from(text), builder);
  return { text: builder.finish(), commit: () => writer.commit() };
}

function stored(arena: SlabArena, holds: RecordHolds, text: string): StoredRecord {
  const { text: storedText, commit } = written(arena, text);
  const record = new StoredRecord(storedText, new Map());
  holds.retain(record);
  commit();
  return record;
}

describe("RecordHolds", () => {
  test("frees a record's slabs with its last hold", () => {
    const arena = new SlabArena();
    const holds = new RecordHolds(arena);
    const record = stored(arena, holds, "record");
    holds.retain(record);
    holds.release([record]);
    expect(arena.retainedBytes).toBeGreaterThan(0);
    holds.release([record]);
    expect(arena.retainedBytes).toBe(0);
    expect(() => holds.release([record])).toThrow("once per hold");
  });

  test("makes the end of a slab writable again when only released records used it", () => {
    const arena = new SlabArena();
    const holds = new RecordHolds(arena);
    const first = stored(arena, holds, "first");
    const second = stored(arena, holds, "second");
    const third = stored(arena, holds, "third");
    const [slab] = first.slabs;
    expect([...second.slabs, ...third.slabs]).toEqual([slab, slab] as never[]);
    holds.release([second]);
    expect(slab?.used).toBe("firstsecondthird".length);
    holds.release([third]);
    expect(slab?.used).toBe("first".length);
  });

  test("leaves alone what a writer is about to use", () => {
    const arena = new SlabArena();
    const holds = new RecordHolds(arena);
    const first = stored(arena, holds, "first");
    const second = stored(arena, holds, "second");
    const { text, commit } = written(arena, "third");
    holds.release([second]);
    const third = new StoredRecord(text, new Map());
    holds.retain(third);
    commit();
    const [extent] = text.extents;
    expect(extent?.slab.bytes.subarray(0, extent.end).toString()).toBe("firstsecondthird");
    expect([first.references, second.references, third.references]).toEqual([1, 0, 1]);
  });
});
