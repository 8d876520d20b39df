import { expect, test } from "bun:test";
import { workersTable } from "../../../bench/result/workers-table.ts";
import { sampleChat, samplePhase, sampleRound } from "./sample-results.ts";

function roundWith(workers: number, turnsPerSecond: number, cpuSeconds: number) {
  const phase = samplePhase("chats", sampleChat(turnsPerSecond));
  const use = phase.use === null ? null : { ...phase.use, cpuSeconds };
  return sampleRound({ target: `bun:${workers}`, workers, phases: [{ ...phase, use }] });
}

test("workersTable() holds more workers against the fewest of the same runs", () => {
  const rounds = [roundWith(2, 150, 4), roundWith(1, 100, 2), roundWith(1, 110, 2)];
  expect(workersTable(rounds)?.rows).toEqual([
    ["bun:1", "105", "1.00", "8.00", "30.0", "1.00", "5.00", "0.00", "512", "0"],
    ["bun:2", "150", "1.43", "8.00", "30.0", "1.00", "10.0", "5.00", "512", "0"],
  ]);
});

test("workersTable() is not there for one worker count, and for other servers", () => {
  expect(workersTable([roundWith(1, 100, 2)])).toBeNull();
  const alone = { ...roundWith(2, 100, 2), run: "another" };
  expect(workersTable([roundWith(1, 100, 2), alone])).toBeNull();
  expect(workersTable([roundWith(1, 100, 2), { ...alone, workers: null }])).toBeNull();
});
