import { describe, expect, test } from "bun:test";
import { markdownReport } from "../../../bench/report/markdown.ts";
import { reportPage } from "../../../bench/report/page.ts";
import type { Report } from "../../../bench/report/report.ts";
import { linearScale, logarithmicScale } from "../../../bench/report/scale.ts";
import type { MicroResult } from "../../../bench/result/micro-result.ts";
import type { ProfileResult } from "../../../bench/result/profile-result.ts";
import type { StartupResult } from "../../../bench/result/startup-result.ts";
import { sampleChat, samplePhase, sampleRecords, sampleRound } from "../result/sample-results.ts";

const phases = [
  samplePhase("chats", sampleChat(100)),
  { ...samplePhase("chats with GETs", sampleChat(80)), records: sampleRecords },
];
const run = [sampleRound({ phases }), sampleRound({ phases, target: "bun:1", round: 1 })];

const micro: MicroResult = {
  startedAt: "2026-08-01T12:00:00.000Z",
  machine: sampleRound().machine,
  measurements: [
    { name: "frame reader", operation: "a frame", medianNs: 2_000, fastestNs: 1_500, bytes: 4_000 },
    { name: "owner hash", operation: "an id", medianNs: 900, fastestNs: 800, bytes: null },
  ],
};

const { machine, shape, startedAt } = sampleRound();

const startup: StartupResult = {
  startedAt,
  machine,
  measurements: [
    {
      program: "bun",
      tokenizer: "demo",
      workers: 4,
      listeningSeconds: [0.3, 0.1, 0.2],
      healthySeconds: [0.4, 0.2, 0.3],
      memoryBytes: [1, 2, 3].map((mebibytes) => mebibytes * 1024 ** 2),
    },
  ],
};

const profiles: readonly ProfileResult[] = [
  {
    startedAt,
    machine,
    shape,
    turns: 400,
    samples: 1_000,
    functions: [{ name: "compare in take", place: "src/records/store.ts", part: 0.4 }],
    folders: [{ name: "src/records", place: "", part: 0.5 }],
  },
];

function report(parts: Partial<Report>): Report {
  return { runs: [], micro: null, startup: null, profiles: [], ...parts };
}

describe("reportPage()", () => {
  const page = reportPage(report({ runs: [run], micro, startup, profiles }));

  test("needs nothing but itself", () => {
    expect(page).not.toMatch(/<(script|link|img|iframe)\b/);
    expect(page).not.toMatch(/\b(src|href)="(?!#)/);
    expect(page).not.toMatch(/@import|url\(/);
  });

  test("has a chart for each question", () => {
    for (const title of [
      "Throughput",
      "Latency distribution",
      "Memory of all processes",
      "Time per turn along the conversation",
    ]) {
      expect(page).toContain(`aria-label="${title}"`);
    }
    expect(page).not.toContain("NaN");
  });

  test("is light or dark as its reader is", () => {
    expect(page).toContain("prefers-color-scheme: dark");
  });

  test("escapes what it shows", () => {
    expect(page).toContain("A &lt;fast&gt; CPU");
    expect(page).not.toContain("<fast>");
  });

  test("doubts figures of a busy machine", () => {
    const busy = sampleRound();
    const machine = { ...busy.machine, busyCoresBefore: 1.5 };
    expect(page).not.toContain("do not believe");
    expect(reportPage(report({ runs: [[{ ...busy, machine }]] }))).toContain("do not believe");
  });

  test("compares runs with different numbers of sessions", () => {
    const more = { ...sampleRound().shape, sessions: 100 };
    expect(page).not.toContain("against sessions");
    const runs = [run, [sampleRound({ shape: more })]];
    expect(reportPage(report({ runs }))).toContain("against sessions");
  });
});

test("markdownReport() has the tables of each run and the figures of the original", () => {
  const text = markdownReport({ runs: [run], micro, startup, profiles });
  expect(text).toContain("### records: 8 x 50");
  expect(text).toMatch(/\| bun:2 \| chats \| 1 \|/);
  expect(text).toContain("Python original");
  expect(text).toContain("| frame reader | a frame | 2.00 | 1.50 | 2000 |");
  expect(text).toContain("| owner hash | an id | 0.90 | 0.80 | - |");
  expect(text).toContain("| bun | demo | 4 | 3 | 0.20 | 0.10..0.30 | 0.30 | 0.20..0.40 | 2 |");
  expect(text).toContain("| compare in take | src/records/store.ts | 40.0 % |");
  expect(text).toContain("1000 in 400 turns");
});

describe("scales", () => {
  test("a linear one begins at 0 and ends at a round number", () => {
    const { ticks, place } = linearScale(93, 5);
    expect(ticks).toEqual([0, 20, 40, 60, 80, 100]);
    expect([place(0), place(50), place(100)]).toEqual([0, 0.5, 1]);
    expect(linearScale(0, 5).ticks.at(-1)).toBe(1);
  });

  test("a logarithmic one spans its values from tick to tick", () => {
    const { ticks, place } = logarithmicScale(3, 90);
    expect(ticks).toEqual([2, 5, 10, 20, 50, 100]);
    expect(place(2)).toBe(0);
    expect(place(100)).toBeCloseTo(1, 10);
    expect(logarithmicScale(1, 1000).ticks).toEqual([1, 2, 5, 10, 20, 50, 100, 200, 500, 1000]);
    expect(logarithmicScale(1, 20_000).ticks).toEqual([1, 10, 100, 1_000, 10_000]);
    expect(logarithmicScale(5, 5).ticks).toEqual([5, 10]);
  });
});
