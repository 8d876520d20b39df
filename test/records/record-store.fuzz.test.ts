/**
 * Random lives of a record store: turns in flight, commits, discards, rollbacks, dumps and deletion
 * in any order. Every dump must equal the model of the moment it began, and memory must balance.
 */
import { expect, test } from "bun:test";
import { dumpSession } from "../../src/records/dump.ts";
import { RecordStore } from "../../src/records/record-store.ts";
import type { Slab } from "../../src/records/slab.ts";
import { type Random, randomFrom, seedOf } from "../harness/random.ts";
import { hangMs } from "../harness/time-limit.ts";
import { dumpText, letters, reply, request, store, type Turn, TurnInFlight } from "./turns.ts";

interface DumpInFlight {
  readonly expected: string;
  readonly iterator: AsyncIterator<Uint8Array>;
  readonly slices: Buffer[];
  /** Not yet read, as in a consumer that reads ahead. */
  readonly ahead: Uint8Array[];
}

class Life {
  readonly #random: Random;
  readonly #records = new RecordStore();
  readonly #turns: Turn[] = [];
  readonly #inFlight: TurnInFlight[] = [];
  readonly #dumps: DumpInFlight[] = [];
  #payload = '"';
  #messages = "";

  constructor(random: Random) {
    this.#random = random;
  }

  async run(steps: number): Promise<void> {
    for (let step = 0; step < steps; step += 1) await this.#step();
    // A deletion in the middle of everything.
    this.#records.free();
    for (const turn of this.#inFlight) turn.discard();
    while (this.#dumps.length > 0) await this.#advanceDump(0, 1_000);
    expect(this.#records.retainedBytes).toBe(0);
  }

  #rollBack(): void {
    const count = Math.max(0, this.#turns.length - this.#random.integer(0, 3));
    this.#records.rollback(count);
    this.#turns.length = count;
  }

  async #step(): Promise<void> {
    const random = this.#random;
    const turn = random.integer(0, this.#inFlight.length - 1);
    switch (random.integer(0, 9)) {
      case 0:
      case 1:
        this.#inFlight.push(new TurnInFlight(this.#records, this.#nextTurn()));
        break;
      case 2:
      case 3:
        this.#inFlight[turn]?.receive(random.integer(1, 40_000));
        break;
      case 4:
      case 5: {
        const [committed] = this.#inFlight.splice(turn, 1);
        if (committed === undefined) break;
        committed.prepare();
        // A retry takes turns back between the two.
        if (random.integer(0, 1) === 0) this.#rollBack();
        committed.ingest.commit();
        this.#turns.push(committed.turn);
        break;
      }
      case 6:
        this.#inFlight.splice(turn, 1)[0]?.discard();
        break;
      case 7:
        this.#rollBack();
        break;
      case 8:
        this.#beginDump();
        break;
      default:
        if (this.#dumps.length > 0) {
          await this.#advanceDump(random.integer(0, this.#dumps.length - 1), random.integer(1, 8));
        }
    }
    this.#checkMemory();
  }

  /** A turn whose texts have something, but not everything, to do with those before. */
  #nextTurn(): Turn {
    const random = this.#random;
    const more = (most: number) => letters(random.integer(0, most), random.integer(1, 1_000_000));
    const text = this.#payload;
    const at = random.integer(1, text.length);
    this.#payload = random.pick([
      text + more(60_000),
      text + more(2_000),
      text.slice(0, at) + more(5_000),
      `${text.slice(0, at)}-${text.slice(at + 1)}`,
      `"${more(30_000)}`,
    ]);
    this.#messages += `${this.#messages && ","}"${more(300)}é"`;
    const value = random.pick([`${this.#payload}"`, `${this.#payload}=="`, "null", "[[1,2],[3]]"]);
    const payloads = random.pick([
      { routed_experts: [value] },
      { routed_experts: [value, "[]"], indexer_topk: [`${text}"`, value] },
      { indexer_topk: [value] },
      {},
    ]);
    return { response: reply(payloads as Record<string, string[]>), request: this.#request() };
  }

  #request() {
    const cut = this.#random.chance(0.2)
      ? this.#random.integer(0, this.#messages.length)
      : Infinity;
    return request(this.#messages.slice(0, cut), this.#payload.slice(1, 500));
  }

  #beginDump(): void {
    const records = this.#records.snapshot();
    const body = dumpSession({ sessionId: "s", records, metadataJson: [Buffer.from('{"a":1}')] });
    const expected = dumpText(this.#turns);
    expect(body.byteLength).toBe(Buffer.byteLength(expected));
    const iterator = body.chunks[Symbol.asyncIterator]();
    this.#dumps.push({ expected, iterator, slices: [], ahead: [] });
  }

  async #advanceDump(index: number, slices: number): Promise<void> {
    const dump = this.#dumps[index] as DumpInFlight;
    for (let count = 0; count < slices; count += 1) {
      const { done, value } = await dump.iterator.next();
      if (done !== true) dump.ahead.push(value);
      while (dump.ahead.length > (done === true ? 0 : 2)) {
        dump.slices.push(Buffer.from(dump.ahead.shift() as Uint8Array));
      }
      if (done !== true) continue;
      this.#dumps.splice(index, 1);
      expect(Buffer.concat(dump.slices).toString() === dump.expected).toBe(true);
      return;
    }
    if (!this.#random.chance(0.1)) return;
    this.#dumps.splice(index, 1);
    await dump.iterator.return?.();
  }

  /** What is held is exactly the slabs of the records, once no turn and no dump holds others. */
  #checkMemory(): void {
    const snapshot = this.#records.snapshot();
    const slabs = new Set<Slab>(snapshot.records.flatMap((record) => [...record.slabs]));
    snapshot.release();
    const capacity = [...slabs].reduce((sum, slab) => sum + slab.capacity, 0);
    const isQuiet = this.#inFlight.length === 0 && this.#dumps.length === 0;
    if (isQuiet) expect(this.#records.retainedBytes).toBe(capacity);
    else expect(this.#records.retainedBytes).toBeGreaterThanOrEqual(capacity);
    for (const slab of slabs) expect(slab.used).toBeLessThanOrEqual(slab.capacity);
  }
}

test(
  "RecordStore is byte-equal to its model through random lives, and balances its memory",
  async () => {
    const seed = seedOf("record store");
    for (let life = 0; life < 25; life += 1) await new Life(randomFrom(seed + life)).run(120);
  },
  hangMs,
);

test("RecordStore discards without a trace when nothing else happens", () => {
  const random = randomFrom(seedOf("record store discards"));
  const records = new RecordStore();
  let text = '"';
  for (let round = 0; round < 40; round += 1) {
    const before = records.retainedBytes;
    text += letters(random.integer(0, 100_000), round);
    const turn = { response: reply({ routed_experts: [`${text}"`] }), request: request("", "") };
    const dropped = new TurnInFlight(records, turn);
    dropped.receive(random.integer(0, text.length));
    dropped.discard();
    expect(records.retainedBytes).toBe(before);
    store(records, turn);
  }
});
