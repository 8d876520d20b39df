import { expect, test } from "bun:test";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { appendMicroResult, newestMicroResult } from "../../../bench/result/micro-result.ts";
import {
  appendResult,
  groupByRun,
  readResults,
  roundsOfNewestCommits,
} from "../../../bench/result/round-result.ts";
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

test("results of what is no shape stand beside those of shapes; the newest one counts", () => {
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

test("roundsOfNewestCommits() joins runs of a shape, and drops older commits", () => {
  const { machine } = sampleRound();
  const older = sampleRound({ run: "a", machine: { ...machine, commit: "older" } });
  const newer = ["b", "c"].flatMap((run) => [
    sampleRound({ run, target: "bun:1" }),
    sampleRound({ run, target: "bun:2" }),
  ]);
  const other = sampleRound({ run: "d", shape: { ...older.shape, sessions: 1 } });
  const [joined, alone] = roundsOfNewestCommits([older, ...newer, other]);
  expect(joined?.map(({ run, target, round }) => [run, target, round])).toEqual([
    ["b", "bun:1", 0],
    ["b", "bun:2", 0],
    ["c", "bun:1", 1],
    ["c", "bun:2", 1],
  ]);
  expect(alone).toEqual([other]);
});

test("readResults() of a directory that is not there is nothing", () => {
  expect(readResults("/nowhere")).toEqual([]);
});
