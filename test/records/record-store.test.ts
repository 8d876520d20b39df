import { describe, expect, test } from "bun:test";
import { RecordStore } from "../../src/records/record-store.ts";
import { slabBytesMax, slabBytesMin } from "../../src/records/slab-arena.ts";
import {
  dumpText,
  letters,
  readDump,
  reply,
  request,
  store,
  type Turn,
  TurnInFlight,
  turn,
} from "./turns.ts";

const payloadTurn = (text: string): Turn => turn({ routed_experts: [`"${text}"`] });

/** Turns whose payload grows by `stepBytes` each, as accumulated replay does. */
function growing(count: number, stepBytes: number): Turn[] {
  const whole = letters(count * stepBytes);
  return Array.from({ length: count }, (_, index) =>
    payloadTurn(`${whole.slice(0, (index + 1) * stepBytes)}==`),
  );
}

describe("RecordStore keeps once", () => {
  test("the payloads of accumulated replay", async () => {
    const records = new RecordStore();
    const turns = growing(12, 400_000);
    for (const each of turns) store(records, each);
    expect(records.retainedBytes).toBeLessThan(12 * 400_000 + slabBytesMax);
    expect(await readDump(records)).toBe(dumpText(turns));
  });

  test("each kind and choice by itself", async () => {
    const records = new RecordStore();
    const texts = [1, 2, 3].map((seed) => letters(200_000, seed));
    const turns = [1, 2, 3, 4].map((count) => {
      const [one, two, three] = texts.map((text) => `"${text.slice(0, count * 50_000)}"`);
      return turn({ routed_experts: [one, two] as string[], indexer_topk: [three] as string[] });
    });
    for (const each of turns) store(records, each);
    expect(records.retainedBytes).toBeLessThan(1.6 * 600_000);
    expect(await readDump(records)).toBe(dumpText(turns));
  });

  test("messages and token ids of the requests", async () => {
    const records = new RecordStore();
    const history = Array.from(
      { length: 40 },
      (_, index) => `{"content":"${letters(3_000, index)}"}`,
    );
    const turns = history.map((_, index) => ({
      request: request(history.slice(0, index + 1).join(","), letters(index * 5_000)),
      response: reply({}),
    }));
    for (const each of turns) store(records, each);
    expect(records.retainedBytes).toBeLessThan(1.6 * (40 * 3_000 + 40 * 5_000));
    expect(await readDump(records)).toBe(dumpText(turns));
  });

  test("what follows a difference in the middle, and what precedes it", async () => {
    const records = new RecordStore();
    const text = letters(2_000_000);
    const turns = [text, `${text.slice(0, 900_000)}-${text.slice(900_001)}`].map(payloadTurn);
    for (const each of turns) store(records, each);
    expect(records.retainedBytes).toBeLessThan(2_000_000 * 1.6);
    expect(await readDump(records)).toBe(dumpText(turns));
  });

  test("a payload behind a turn that had none, and one that shrank", async () => {
    const records = new RecordStore();
    const text = letters(1_000_000);
    const turns = [payloadTurn(text), turn({ routed_experts: ["null"] }), turn({})];
    turns.push(payloadTurn(text), payloadTurn(text.slice(0, 600_000)));
    for (const each of turns) store(records, each);
    expect(records.retainedBytes).toBeLessThan(1_000_000 * 1.6);
    expect(await readDump(records)).toBe(dumpText(turns));
  });

  test("nothing of payloads that share nothing, and is right about them", async () => {
    const records = new RecordStore();
    const turns = [1, 2, 3].map((seed) => payloadTurn(letters(300_000, seed)));
    for (const each of turns) store(records, each);
    expect(await readDump(records)).toBe(dumpText(turns));
  });

  test("a small session in little memory", () => {
    const records = new RecordStore();
    expect(records.retainedBytes).toBe(0);
    store(records, payloadTurn(letters(200)));
    expect(records.retainedBytes).toBe(3 * slabBytesMin);
  });

  test("texts that grow turn by turn in a few pieces, however many turns made them", () => {
    const records = new RecordStore();
    const text = letters(200 * 100);
    for (let end = 100; end <= text.length; end += 100) {
      const grown = request(text.slice(0, end), text.slice(-end));
      store(records, { request: grown, response: reply({}) });
    }
    const snapshot = records.snapshot();
    const { streams } = snapshot.records.at(-1) as (typeof snapshot.records)[number];
    snapshot.release();
    // One a slab, and slabs grow with what they hold.
    expect(streams.get("messages")?.extents.length).toBeLessThan(20);
  });
});

describe("RecordStore.rollback()", () => {
  test("frees what only the records behind used, and a retry takes the same place", async () => {
    const records = new RecordStore();
    const turns = growing(6, 300_000);
    const sizes = turns.map((each) => {
      store(records, each);
      return records.retainedBytes;
    });
    for (let retry = 1; retry <= 20; retry += 1) {
      records.rollback(3);
      expect(records.recordCount).toBe(3);
      expect(records.retainedBytes).toBeLessThanOrEqual(sizes[2] as number);
      const branch = payloadTurn(`${letters(900_000)}${letters(300_000, retry)}`);
      store(records, branch);
      expect(records.retainedBytes).toBeLessThanOrEqual((sizes[3] as number) + slabBytesMin);
      if (retry === 20) {
        expect(await readDump(records)).toBe(dumpText([...turns.slice(0, 3), branch]));
      }
    }
  });

  test("to nothing frees everything, and the store goes on", async () => {
    const records = new RecordStore();
    store(records, payloadTurn(letters(100_000)));
    records.rollback(0);
    expect(records.retainedBytes).toBe(0);
    store(records, turn({}));
    expect(await readDump(records)).toBe(dumpText([turn({})]));
  });
});

describe("RecordStore with turns in flight", () => {
  test("two at once stay apart, whichever is stored first", async () => {
    const records = new RecordStore();
    const [base, one, other] = ["", "1", "2"].map((end) =>
      payloadTurn(letters(300_000) + end.repeat(90_000)),
    ) as [Turn, Turn, Turn];
    store(records, base);
    const first = new TurnInFlight(records, one);
    const second = new TurnInFlight(records, other);
    while (!first.isComplete) {
      first.receive(10_000);
      second.receive(10_000);
    }
    second.commit();
    first.commit();
    expect(await readDump(records)).toBe(dumpText([base, other, one]));
  });

  test("a base that is rolled back and overwritten by another turn does no harm", async () => {
    const records = new RecordStore();
    const kept = payloadTurn(letters(50_000));
    const base = payloadTurn(letters(300_000));
    store(records, kept);
    store(records, base);
    const late = new TurnInFlight(records, payloadTurn(`${letters(300_000)}late`));
    late.receive(250_000);
    records.rollback(1);
    const between = payloadTurn(`${letters(50_000)}${letters(400_000, 9)}`);
    store(records, between);
    late.commit();
    expect(await readDump(records)).toBe(dumpText([kept, between, late.turn]));
    records.rollback(2);
    expect(await readDump(records)).toBe(dumpText([kept, between]));
  });

  test("free() leaves a turn in flight its base until it is discarded; a commit is a bug", () => {
    const records = new RecordStore();
    store(records, payloadTurn(letters(100_000)));
    const late = new TurnInFlight(records, payloadTurn(letters(200_000)));
    late.receive(150_000);
    records.free();
    expect(records.retainedBytes).toBeGreaterThan(0);
    expect(() => late.commit()).toThrow("deleted");
    late.discard();
    expect(records.retainedBytes).toBe(0);
  });
});

describe("RecordStore.free()", () => {
  test("frees all memory at once", () => {
    const records = new RecordStore();
    for (const each of growing(5, 200_000)) store(records, each);
    const [record] = records.snapshot().records;
    const [slab] = record?.slabs ?? [];
    expect(slab?.bytes.length).toBeGreaterThan(0);
    records.free();
    // The snapshot above is held on purpose.
    expect(slab?.bytes.length).toBeGreaterThan(0);
    const freed = new RecordStore();
    for (const each of growing(5, 200_000)) store(freed, each);
    const snapshot = freed.snapshot();
    const slabs = snapshot.records.flatMap((each) => [...each.slabs]);
    snapshot.release();
    expect(() => snapshot.release()).toThrow("released once");
    freed.free();
    expect(freed.retainedBytes).toBe(0);
    expect(slabs.every((each) => each.bytes.length === 0)).toBe(true);
  });
});
