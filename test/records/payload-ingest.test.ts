import { describe, expect, test } from "bun:test";
import { RecordStore } from "../../src/records/record-store.ts";
import { scan } from "../json/span-scan.ts";
import { dumpText, letters, part, readDump, store, TurnInFlight, turn } from "./turns.ts";

describe("PayloadIngest", () => {
  test("commit() stores request and reply byte for byte, keys in the order of the original", async () => {
    const records = new RecordStore();
    const turns = [
      turn({}),
      turn({ routed_experts: ['"AB=="'] }),
      turn({ routed_experts: ["[[0,3]]", "null"], indexer_topk: ['"xyz"'] }),
    ];
    for (const each of turns) store(records, each);
    expect(await readDump(records)).toBe(dumpText(turns));
  });

  test("commit() keeps the white space of the reply, in and around payloads", async () => {
    const records = new RecordStore();
    const each = {
      request: [part(null, '{"é":1}')],
      response: ' {"choices":[{"meta_info": { "routed_experts" : "A" , "indexer_topk": 1 }}]}\n',
    };
    store(records, each);
    expect(await readDump(records)).toBe(dumpText([each]));
  });

  test("commit() leaves a byte order mark out: it may not stand inside a document", async () => {
    const records = new RecordStore();
    const each = turn({ routed_experts: ['"A"'] });
    store(records, { ...each, response: `\ufeff${each.response}` });
    expect(await readDump(records)).toBe(dumpText([each]));
  });

  test("discard() frees what was received, and does nothing after a commit", async () => {
    const records = new RecordStore();
    const dropped = new TurnInFlight(records, turn({ routed_experts: [`"${letters(500_000)}"`] }));
    dropped.receive(400_000);
    expect(records.retainedBytes).toBeGreaterThan(300_000);
    dropped.discard();
    dropped.discard();
    expect(records.retainedBytes).toBe(0);
    const kept = new TurnInFlight(records, turn({}));
    kept.commit();
    kept.discard();
    expect(await readDump(records)).toBe(dumpText([turn({})]));
  });

  test("refuses a second commit and a reply that is not the one of its sink", () => {
    const records = new RecordStore();
    const twice = new TurnInFlight(records, turn({}));
    twice.commit();
    expect(() => twice.ingest.commit()).toThrow("stored once");
    const { document } = scan(turn({ routed_experts: ["1"] }).response);
    const other = records.beginPayloads();
    const record = { timestamp: 1, requestTimestamp: 1, method: "POST", path: "/", request: [] };
    expect(() => other.prepare({ ...record, statusCode: 200, response: document })).toThrow(
      "not the one of this sink",
    );
    other.discard();
  });

  test("prepare() changes nothing of the store until commit()", async () => {
    const records = new RecordStore();
    new TurnInFlight(records, turn({ routed_experts: ['"first"'] })).commit();
    const dropped = new TurnInFlight(records, turn({ routed_experts: ['"second"'] }));
    dropped.prepare();
    expect(await readDump(records)).toBe(dumpText([turn({ routed_experts: ['"first"'] })]));
    dropped.discard();
    expect(records.recordCount).toBe(1);
    expect(() => dropped.ingest.commit()).toThrow("stored once");
  });

  test("vouches for payload bytes that repeat the turn before, and for no others", () => {
    const records = new RecordStore();
    const text = letters(200_000);
    store(records, turn({ routed_experts: [`"${text}"`] }));
    const ingest = records.beginPayloads();
    ingest.sink.begin(0, "routed_experts");
    expect(ingest.sink.write(Buffer.from('"'))).toBe(1);
    expect(ingest.sink.write(Buffer.from(text.slice(0, 70_000)))).toBe(70_000);
    expect(ingest.sink.write(Buffer.from(`${text.slice(70_000, 80_000)}-`))).toBe(10_000);
    expect(ingest.sink.write(Buffer.from(text.slice(80_001)))).toBe(0);
    ingest.sink.end();
    ingest.sink.begin(1, "routed_experts");
    expect(ingest.sink.write(Buffer.from('"'))).toBe(0);
    ingest.discard();
  });
});
