import { expect, test } from "bun:test";
import { growthTable } from "../../../bench/result/growth-table.ts";
import { findShape, type Shape } from "../../../bench/workload/shape.ts";
import { sampleChat, samplePhase, sampleRound } from "./sample-results.ts";

const shape = findShape("growth") as Shape;

/** A turn costs `first` milliseconds and `more` more for each turn before it. */
function growthRound(round: number, first: number, more: number) {
  const line = Array.from({ length: shape.turns }, (_, index) => first + index * more);
  const chat = {
    ...sampleChat(100, shape.turns),
    medianMsByTurn: line.map((ms) => 2 * ms),
    cpuMsByTurn: line,
  };
  return sampleRound({ shape, round, advance: "in step", phases: [samplePhase("chats", chat)] });
}

test("growthTable() compares turns of one conversation by wall time and by processor time", () => {
  const table = growthTable([growthRound(0, 1, 0.01), growthRound(1, 1, 0), growthRound(2, 1, 0)]);
  expect(table?.heading.slice(3)).toEqual([
    ...["at turn 10", "at turn 50", "at turn 100", "at turn 200"],
    "turn 200 / turn 10 (less than 1.5)",
    "slope us/turn",
  ]);
  expect(table?.rows.map((row) => row.slice(1, 3).join(" "))).toEqual([
    ...["wall ms median", "wall ms 1", "wall ms 2", "wall ms 3"],
    ...["CPU ms median", "CPU ms 1", "CPU ms 2", "CPU ms 3"],
  ]);
  expect(table?.rows[5]?.slice(3)).toEqual(["1.09", "1.49", "1.99", "2.99", "2.74", "10.0"]);
  expect(table?.rows[4]?.slice(3)).toEqual(["1.00", "1.00", "1.00", "1.00", "1.00", "0.00"]);
});

test("growthTable() is not there for sessions that go their own ways, and for short ones", () => {
  expect(growthTable([sampleRound({ shape })])).toBeNull();
  const short = { ...shape, turns: 20 };
  expect(growthTable([sampleRound({ shape: short, advance: "in step" })])).toBeNull();
});

test("growthTable() has no processor time of a server whose processes are not known", () => {
  const round = growthRound(0, 1, 0);
  const chat = { ...sampleChat(1, shape.turns), cpuMsByTurn: [] };
  const table = growthTable([{ ...round, phases: [samplePhase("chats", chat)] }]);
  expect(table?.rows.map((row) => row[1])).toEqual(["wall ms"]);
});
