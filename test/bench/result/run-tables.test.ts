import { describe, expect, test } from "bun:test";
import { comparison } from "../../../bench/result/comparison.ts";
import {
  chatTable,
  describeRun,
  doubtsAbout,
  growthTable,
  recordsTable,
} from "../../../bench/result/run-tables.ts";
import { markdownTable, type Table, textTable } from "../../../bench/result/table.ts";
import { sampleChat, samplePhase, sampleRecords, sampleRound } from "./sample-results.ts";

function column(table: Table, heading: string): (string | undefined)[] {
  const index = table.heading.indexOf(heading);
  if (index < 0) throw new Error(`no column ${heading}`);
  return table.rows.map((row) => row[index]);
}

const threeRounds = [90, 120, 100].map((rate, round) =>
  sampleRound({ round, phases: [samplePhase("chats", sampleChat(rate))] }),
);

describe("chatTable()", () => {
  test("shows the median and every round", () => {
    const table = chatTable(threeRounds);
    expect(column(table, "round")).toEqual(["median", "1", "2", "3"]);
    expect(column(table, "turns/s")).toEqual(["100", "90.0", "120", "100"]);
    expect(column(table, "of socket")[0]).toBe("0.25");
    expect(column(table, "CPU ms/turn")[0]).toBe("5.00");
    expect(column(table, "peak MiB")[0]).toBe("512");
  });

  test("shows what failed by kind, and what was not tried", () => {
    const chat = { ...sampleChat(1), failures: { "chat: status 502": 2 }, notAttempted: 7 };
    const table = chatTable([sampleRound({ phases: [samplePhase("chats", chat)] })]);
    expect(column(table, "failed")).toEqual(["2 chat: status 502; 7 not tried"]);
  });

  test("has a dash for what a URL without process ids does not tell", () => {
    const phase = { ...samplePhase("chats", sampleChat(1)), use: null };
    const table = chatTable([sampleRound({ phases: [phase] })]);
    expect(column(table, "peak MiB")).toEqual(["-"]);
    expect(column(table, "CPU s")).toEqual(["-"]);
  });
});

test("recordsTable() shows the GETs of a run, or is not there", () => {
  expect(recordsTable(threeRounds)).toBeNull();
  const phase = { ...samplePhase("records", null), records: sampleRecords };
  const table = recordsTable([sampleRound({ phases: [phase] })]);
  if (table === null) throw new Error("the run read records");
  expect(column(table, "GiB each")).toEqual(["2.00"]);
  expect(column(table, "GiB/s")).toEqual(["1.00"]);
  expect(column(table, "router MiB")).toEqual(["32"]);
});

test("growthTable() compares turns of the same conversation", () => {
  const table = growthTable([sampleRound()]);
  expect(table?.heading).toContain("turn 50 / turn 10");
  expect(table?.rows[0]?.at(-1)).toBe("100.0");
  const short = { ...sampleRound().shape, turns: 10 };
  expect(growthTable([sampleRound({ shape: short })])).toBeNull();
});

describe("comparison()", () => {
  test("says how a target does against the first, and whether replies are equal", () => {
    const faster = threeRounds.map((round) => ({
      ...round,
      target: "bun:4",
      phases: [samplePhase("chats", sampleChat(200))],
    }));
    expect(comparison([...threeRounds, ...faster])).toEqual([
      "bun:4 against bun:2, chats: 2.00 x turns/s (rounds 200..200 against 90.0..120), " +
        "1.00 x p50, 1.00 x p99; replies equal byte for byte",
    ]);
  });

  test("says when replies differ", () => {
    const other = { ...sampleChat(100), replyHash: "0000000000000001" };
    const rounds = [
      sampleRound(),
      sampleRound({ target: "url:http://peer", phases: [samplePhase("chats", other)] }),
    ];
    expect(comparison(rounds)[0]).toEndWith("REPLIES DIFFER");
  });

  test("says what GETs cost the chats of the same server", () => {
    const slower = { ...sampleChat(80), p99Ms: 45 };
    const phases = [samplePhase("chats", sampleChat(100)), samplePhase("chats with GETs", slower)];
    expect(comparison([sampleRound({ phases })])).toEqual([
      "bun:2, chats with GETs against chats: 1.50 x p99, 1.00 x p50, 0.80 x turns/s",
    ]);
  });

  test("says nothing about a single target", () => {
    expect(comparison(threeRounds)).toEqual([]);
  });
});

test("describeRun() names bytes, machine and limits", () => {
  const lines = describeRun(threeRounds).join("\n");
  expect(lines).toContain("requests 0000000000000001");
  expect(lines).toContain("A <fast> CPU, 2 cores, 24.0 GiB");
  expect(lines).toContain("socket 1000 turns/s, 4.00 GiB/s");
});

describe("doubtsAbout()", () => {
  test("believes an idle machine", () => {
    expect(doubtsAbout(threeRounds)).toEqual([]);
  });

  test("does not believe one that was busy before, or a round that others took part in", () => {
    const { machine } = sampleRound();
    const busy = sampleRound({
      machine: { ...machine, busyCoresBefore: 1.2 },
      others: { cpuSeconds: 1.5, stolenSeconds: 0.5 },
    });
    expect(doubtsAbout([busy])).toEqual([
      "1.2 of 2 cores were busy before the run began: do not believe these figures",
      "bun:2, round 1: others had 25 % of the machine: do not believe these figures",
    ]);
    expect(doubtsAbout([sampleRound({ others: null })])).toEqual([]);
  });
});

test("textTable() and markdownTable() align words left and numbers right", () => {
  const table = {
    heading: ["name", "ms"],
    rows: [
      ["a", "1000"],
      ["long one", "1"],
    ],
    wordColumns: 1,
  };
  expect(textTable(table).split("\n")).toEqual([
    "name        ms",
    "--------  ----",
    "a         1000",
    "long one     1",
  ]);
  expect(markdownTable(table).split("\n")).toEqual([
    "| name | ms |",
    "| --- | ---: |",
    "| a | 1000 |",
    "| long one | 1 |",
  ]);
});
