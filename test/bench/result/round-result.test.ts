import { expect, test } from "bun:test";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { appendMicroResult, newestMicroResult } from "../../../bench/result/micro-result.ts";
import { appendResult, groupByRun, readResults } from "../../../bench/result/round-result.ts";
import { sampleRound } from "./sample-results.ts";

test("a result is one JSON line in the file of its shape, and comes back as it was", () => {
  const directory = mkdtempSync(join(tmpdir(), "session-server-results-"));
  try {
    const rounds = [sampleRound(), sampleRound({ round: 1 }), sampleRound({ run: "later" })];
    for (const result of rounds) appendResult(directory, result);
    const path = join(directory, "records.jsonl");
    expect(readFileSync(path, "utf8").split("\n")).toHaveLength(rounds.length + 1);
    expect(readResults(directory)).toEqual(rounds);
    expect(groupByRun(rounds).map((run) => run.length)).toEqual([2, 1]);
    writeFileSync(path, '{"version":0}\n');
    expect(readResults(directory)).toEqual([]);
  } finally {
    rmSync(directory, { recursive: true });
  }
});

test("the results of micro benchmarks stand beside those of shapes, and only the newest counts", () => {
  const directory = mkdtempSync(join(tmpdir(), "session-server-results-"));
  try {
    expect(newestMicroResult(directory)).toBeNull();
    const { machine } = sampleRound();
    for (const startedAt of ["first", "second"]) {
      appendMicroResult(directory, { startedAt, machine, measurements: [] });
    }
    expect(newestMicroResult(directory)?.startedAt).toBe("second");
    expect(readResults(directory)).toEqual([]);
  } finally {
    rmSync(directory, { recursive: true });
  }
});

test("readResults() of a directory that is not there is nothing", () => {
  expect(readResults("/nowhere")).toEqual([]);
});
