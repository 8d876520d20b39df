/**
 * Prints the resident memory of a process that stores sessions, dumps them and deletes them, in MiB
 * as one JSON line. Run by deletion-memory.test.ts.
 */
import { dumpSession } from "../../src/records/dump.ts";
import { RecordStore } from "../../src/records/record-store.ts";
import { letters, store, turn } from "./turns.ts";

const sessionCount = 4;
const turnCount = 6;
const turnBytes = 8 * 1024 * 1024;
const settleMs = 120_000;

const residentMebibytes = (): number => Math.round(process.memoryUsage.rss() / 1024 / 1024);

/** Waits until the allocator has given back what was freed; it does so after 100 ms or more. */
async function settled(below: number): Promise<number> {
  const deadline = performance.now() + settleMs;
  while (residentMebibytes() > below && performance.now() < deadline) await Bun.sleep(20);
  return residentMebibytes();
}

function fill(records: RecordStore, seed: number): void {
  const step = letters(turnBytes, seed);
  for (let count = 1; count <= turnCount; count += 1) {
    store(records, turn({ routed_experts: [`"${step.repeat(count)}"`] }));
  }
}

async function dumpedBytes(records: RecordStore): Promise<number> {
  const body = dumpSession({
    sessionId: "s",
    records: records.snapshot(),
    metadataJson: [Buffer.from("{}")],
  });
  let byteLength = 0;
  for await (const slice of body.chunks) byteLength += slice.length;
  return byteLength;
}

const sessions = Array.from({ length: sessionCount }, () => new RecordStore());
for (const [seed, records] of sessions.entries()) fill(records, seed + 1);
const dumped = await Promise.all(sessions.map(dumpedBytes));
Bun.gc(true);
const beforeMiB = residentMebibytes();
// No garbage collection from here on: the memory must come back without one.
for (const records of sessions) records.free();
const storedMiB = (sessionCount * turnCount * turnBytes) / 1024 / 1024;
const afterMiB = await settled(beforeMiB - 0.9 * storedMiB);
console.log(JSON.stringify({ storedMiB, beforeMiB, afterMiB, dumped }));
