import { describe, expect, test } from "bun:test";
import {
  plansOf,
  readCommandLine,
  targetsOf,
  UsageError,
} from "../../../bench/run/command-line.ts";
import { orderOfRound } from "../../../bench/run/run-plan.ts";

function plans(...words: string[]) {
  const { words: named, values } = readCommandLine(words);
  return plansOf(named[0] ?? "", values, targetsOf(values));
}

describe("plansOf()", () => {
  test("takes a shape as it is", () => {
    const [plan] = plans("production");
    expect(plan?.shape).toMatchObject({ sessions: 2, turns: 50, r3: "accumulated" });
    expect(plan).toMatchObject({ rounds: 3, records: "none", seed: 1, enginePort: 0 });
    expect(plan?.targets.map((target) => target.label)).toEqual(["bun:1"]);
    expect(plan).toMatchObject({ warmUpTurns: 0, advance: "freely" });
    expect(plans("growth")[0]).toMatchObject({
      warmUpTurns: 150,
      warmUpPasses: 4,
      advance: "in step",
    });
    expect(plans("growth", "--turns", "60")[0]?.warmUpTurns).toBe(60);
    expect(plans("records")[0]).toMatchObject({ records: "during", warmUpTurns: 50, rounds: 3 });
    expect(plans("smoke")[0]?.rounds).toBe(1);
  });

  test("changes every number of a shape", () => {
    const [plan] = plans(
      ...["small", "--turns", "2", "--input-tokens", "3", "--output-tokens", "70"],
      ...["--tool-result-tokens", "5", "--r3-bytes", "6", "--r3", "incremental"],
      ...["--think-ms", "7", "--idle-ms", "8", "--seed", "9", "--records", "after"],
    );
    expect(plan?.shape).toMatchObject({
      turns: 2,
      inputTokens: 3,
      outputTokens: 70,
      toolResultTokens: 5,
      r3BytesPerToken: 6,
      r3: "incremental",
      thinkMs: 7,
      idleMs: 8,
    });
    expect(plan).toMatchObject({ seed: 9, records: "after" });
  });

  test("makes a run of each number of sessions", () => {
    const sessions = plans("small", "--sessions", "1,10").map((plan) => plan.shape.sessions);
    expect(sessions).toEqual([1, 10]);
  });

  for (const words of [
    ["unknown"],
    ["small", "--turns", "many"],
    ["small", "--turns", ""],
    ["small", "--rounds", "0"],
    ["small", "--r3", "none"],
    ["small", "--workers", "0"],
    ["small", "--workers", "2", "--target", "bun:2"],
    ["small", "--unknown"],
    ["small", "--warm-up-turns", "51"],
    ["small", "--engine-port", "65536"],
    ["small", "--results", "/proc/nowhere"],
    ["small", "--target", "executable:1@/nowhere"],
    ["small", "--target", "bun:1@/nowhere"],
    ["growth", "--loads", "2"],
  ]) {
    test(`refuses ${words.join(" ")}`, () => {
      expect(() => plans(...words)).toThrow(UsageError);
    });
  }
});

test("orderOfRound() is reversed every other time", () => {
  const targets = targetsOf({ workers: ["1,2"] });
  const labels = [0, 1, 2].map((round) => orderOfRound(targets, round).map(({ label }) => label));
  expect(labels).toEqual([
    ["bun:1", "bun:2"],
    ["bun:2", "bun:1"],
    ["bun:1", "bun:2"],
  ]);
});
