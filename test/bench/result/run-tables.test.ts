import { describe, expect, test } from "bun:test";
import { comparison } from "../../../bench/result/comparison.ts";
import { doubtsAbout, doubtsAboutRound } from "../../../bench/result/doubts.ts";
import { phaseNames } from "../../../bench/result/phase-names.ts";
import { chatTable, describeRun, recordsTable } from "../../../bench/result/run-tables.ts";
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
  test("shows the median, the range and every round", () => {
    const table = chatTable(threeRounds);
    expect(column(table, "round")).toEqual(["median", "range", "1", "2", "3"]);
    expect(column(table, "turns/s")).toEqual(["100", "90.0..120", "90.0", "120", "100"]);
    expect(column(table, "of socket")[0]).toBe("0.25");
    expect(column(table, "CPU ms/turn")[0]).toBe("5.00");
    expect(column(table, "peak MiB")[0]).toBe("512");
  });

  test("shows what failed by kind, and what was not tried", () => {
    const chat = { ...sampleChat(1), failures: { "chat: status 502": 2 }, notAttempted: 7 };
    const table = chatTable([sampleRound({ phases: [samplePhase("chats", chat)] })]);
    expect(column(table, "failed")).toEqual(["2 chat: status 502; 7 not tried"]);
  });

  test("marks a part of the limit that cannot be", () => {
    const chat = { ...sampleChat(1), ingestBytesPerSecond: 5 * 1024 ** 3 };
    const table = chatTable([sampleRound({ phases: [samplePhase("chats", chat)] })]);
    expect(column(table, "of socket")).toEqual(["1.25 (?)"]);
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

  test("compares only rounds of runs that had both targets", () => {
    const alone = sampleRound({ run: "alone", phases: [samplePhase("chats", sampleChat(999))] });
    const both = ["bun:2", "bun:4"].map((target) => sampleRound({ target }));
    expect(comparison([alone, ...both])[0]).toStartWith("bun:4 against bun:2, chats: 1.00 x");
  });

  test("says what GETs cost, in each round against the chats on both sides", () => {
    const rounds = [45, 30, 90].map((p99Ms, round) => {
      const chats = (rate: number, p99: number) => ({ ...sampleChat(rate), p99Ms: p99 });
      const phases = [
        samplePhase(phaseNames.chatsBefore, chats(120, 20)),
        samplePhase(phaseNames.chatsWithGets, chats(80, p99Ms)),
        samplePhase(phaseNames.chatsAfter, chats(80, 40)),
      ];
      return sampleRound({ round, phases });
    });
    expect(comparison(rounds)).toEqual([
      "bun:2, chats with GETs against the mean of those before and after, round by round: " +
        "p99 x 1.50 (rounds 1.50, 1.00, 3.00), p50 x 1.00 (rounds 1.00, 1.00, 1.00), " +
        "turns/s x 0.80 (rounds 0.80, 0.80, 0.80)",
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
  expect(lines).toContain("socket 1000 turns/s, 4.00 GiB/s (rounds 4.00 GiB/s to 4.00 GiB/s)");
  expect(lines).toContain("2.50 ms CPU a turn");
  expect(lines).toContain("every server is fresh and cold");
  const warmUp = samplePhase("warm-up", sampleChat(1));
  expect(describeRun([sampleRound({ warmUp: [warmUp, warmUp] })]).join()).toContain(
    "warmed by 800 turns",
  );
});

describe("doubtsAbout()", () => {
  test("believes an idle machine", () => {
    expect(doubtsAbout(threeRounds)).toEqual([]);
  });

  test("does not believe one that was busy before, and says what each round doubts", () => {
    const { machine } = sampleRound();
    const busy = sampleRound({
      machine: { ...machine, busyCoresBefore: 1.2 },
      doubts: ["the reason"],
    });
    expect(doubtsAbout([busy, busy])).toEqual([
      "1.2 of 2 cores were busy before the run began: do not believe these figures",
      "bun:2, round 1: the reason",
      "bun:2, round 1: the reason",
    ]);
  });
});

describe("doubtsAboutRound()", () => {
  test("doubts a round in which others took part", () => {
    const others = { wallSeconds: 4, cpuSeconds: 1.5, stolenSeconds: 0.5 };
    expect(doubtsAboutRound(sampleRound({ others }))).toEqual([
      "others had 25 % of the machine: do not believe these figures",
    ]);
    expect(doubtsAboutRound(sampleRound({ others: null }))).toEqual([]);
    expect(doubtsAboutRound(sampleRound())).toEqual([]);
  });

  test("doubts a server that is faster than the limit", () => {
    const chat = { ...sampleChat(1), ingestBytesPerSecond: 5 * 1024 ** 3 };
    expect(doubtsAboutRound(sampleRound({ phases: [samplePhase("chats", chat)] }))).toEqual([
      "chats took in 1.25 times what was received without a server: the limit was not found",
    ]);
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
