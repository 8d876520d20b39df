import { describe, expect, test } from "bun:test";
import { streamSliceBytes } from "../../src/limits.ts";
import { dumpSession } from "../../src/records/dump.ts";
import { RecordStore } from "../../src/records/record-store.ts";
import { dumpText, letters, readBody, readDump, store, type Turn, turn } from "./turns.ts";

function filled(count: number, stepBytes: number): { records: RecordStore; turns: Turn[] } {
  const records = new RecordStore();
  const whole = letters(count * stepBytes);
  const turns = Array.from({ length: count }, (_, index) =>
    turn({ routed_experts: [`"${whole.slice(0, (index + 1) * stepBytes)}"`] }),
  );
  for (const each of turns) store(records, each);
  return { records, turns };
}

const dump = (records: RecordStore) =>
  dumpSession({
    sessionId: "s",
    records: records.snapshot(),
    metadataJson: [Buffer.from('{"a":1}')],
  });

async function slicesOf(chunks: AsyncIterable<Uint8Array>): Promise<Uint8Array[]> {
  const slices: Uint8Array[] = [];
  for await (const slice of chunks) slices.push(slice);
  return slices;
}

describe("dumpSession()", () => {
  test("writes a session without records", async () => {
    const body = dump(new RecordStore());
    const text = await readBody(body.chunks);
    expect(text).toBe(dumpText([]));
    expect(body.byteLength).toBe(text.length);
  });

  test("quotes the session id as JSON", async () => {
    const records = new RecordStore().snapshot();
    const body = dumpSession({ sessionId: 'é"', records, metadataJson: [Buffer.from("{}")] });
    expect(JSON.parse(await readBody(body.chunks))).toEqual({
      session_id: 'é"',
      records: [],
      metadata: {},
    });
  });

  test("knows its length, and no slice is larger than a stream takes", async () => {
    const { records, turns } = filled(6, 700_000);
    const body = dump(records);
    const slices = await slicesOf(body.chunks);
    expect(Buffer.concat(slices).toString() === dumpText(turns)).toBe(true);
    expect(body.byteLength).toBe(dumpText(turns).length);
    const lengths = slices.map((slice) => slice.length);
    expect(Math.max(...lengths)).toBeLessThanOrEqual(streamSliceBytes);
    expect(Math.min(...lengths)).toBeGreaterThan(0);
    // What is large is not copied, except at the end: most bytes are in views of slabs.
    const copies = slices.filter((slice) => slice.buffer.byteLength === slice.length);
    const copiedBytes = copies.reduce((sum, slice) => sum + slice.length, 0);
    expect(copiedBytes).toBeLessThan(4 * streamSliceBytes);
  });

  test("puts a session of 50 small records into few slices", async () => {
    const { records, turns } = filled(50, 200);
    const slices = await slicesOf(dump(records).chunks);
    expect(slices.length).toBe(1);
    expect(Buffer.concat(slices).toString()).toBe(dumpText(turns));
  });

  test("is of the moment it began, through rollback, new turns and deletion", async () => {
    const { records, turns } = filled(6, 700_000);
    const before = dumpText(turns);
    const iterator = dump(records).chunks[Symbol.asyncIterator]();
    const slices: Buffer[] = [];
    for (let step = 0; ; step += 1) {
      const { done, value } = await iterator.next();
      if (done === true) break;
      slices.push(Buffer.from(value));
      if (step === 2) records.rollback(2);
      if (step === 4) store(records, turn({ routed_experts: [`"${letters(900_000, 7)}"`] }));
      if (step === 6) records.free();
    }
    expect(Buffer.concat(slices).toString() === before).toBe(true);
    expect(records.retainedBytes).toBe(0);
  });

  test("never overwrites what it handed out", async () => {
    const { records, turns } = filled(3, 2_000_000);
    const slices = await slicesOf(dump(records).chunks);
    records.rollback(1);
    for (let retry = 0; retry < 3; retry += 1) {
      store(records, turn({ routed_experts: [`"${letters(6_000_000, retry + 2)}"`] }));
      records.rollback(1);
    }
    // What was not freed meanwhile still reads as it did.
    const text = dumpText(turns);
    let offset = 0;
    for (const slice of slices) {
      const length = slice.length;
      if (length === 0) break;
      expect(Buffer.from(slice).toString("latin1") === text.slice(offset, offset + length)).toBe(
        true,
      );
      offset += length;
    }
    expect(offset).toBeGreaterThan(1_000_000);
  });

  test("hands out its last two slices as copies: no view outlives the snapshot", async () => {
    const { records, turns } = filled(4, 1_500_000);
    const iterator = dump(records).chunks[Symbol.asyncIterator]();
    const late: Uint8Array[] = [];
    const read: Buffer[] = [];
    for (let next = await iterator.next(); next.done !== true; next = await iterator.next()) {
      late.push(next.value);
      if (late.length > 2) read.push(Buffer.from(late.shift() as Uint8Array));
    }
    records.free();
    const text = Buffer.concat([...read, ...late]).toString();
    expect(text === dumpText(turns)).toBe(true);
  });

  test("releases its records when it is left early, before or after the first slice", async () => {
    for (const stepCount of [0, 1, 3]) {
      const { records } = filled(3, 1_000_000);
      const iterator = dump(records).chunks[Symbol.asyncIterator]();
      for (let step = 0; step < stepCount; step += 1) await iterator.next();
      records.free();
      expect(records.retainedBytes).toBeGreaterThan(0);
      await iterator.return?.();
      await iterator.return?.();
      expect(records.retainedBytes).toBe(0);
      expect(await iterator.next()).toEqual({ done: true, value: undefined });
    }
  });

  test("may run twice at once", async () => {
    const { records, turns } = filled(3, 500_000);
    const texts = await Promise.all([readDump(records), readDump(records)]);
    expect(texts.every((text) => text === dumpText(turns))).toBe(true);
    records.free();
    expect(records.retainedBytes).toBe(0);
  });
});
