import { describe, expect, test } from "bun:test";
import { type CpuProfile, summarizeProfile } from "../../../bench/profile/cpu-profile.ts";

const node = (id: number, functionName: string, url: string, children: number[] = []) => ({
  id,
  callFrame: { functionName, url },
  children,
});

/** Samples at 1, 2, 3 ... milliseconds. */
function profile(samples: readonly number[]): CpuProfile {
  return {
    nodes: [
      node(1, "(root)", "", [2, 5, 6]),
      node(2, "take", "file:///code/src/records/store.ts", [3, 4]),
      node(3, "compare", ""),
      node(4, "compare", "file:///code/node_modules/package/index.js"),
      node(5, "", ""),
      node(6, "parse", "file:///code/src/json/lossless.ts"),
    ],
    startTime: 0,
    samples,
    timeDeltas: samples.map(() => 1_000),
  };
}

const always = { fromMs: 0, toMs: 1_000 };

describe("summarizeProfile()", () => {
  test("counts samples by function; native code and packages with who called them", () => {
    const { samples, functions } = summarizeProfile(profile([2, 3, 3, 4, 6]), "/code", always);
    expect(samples).toBe(5);
    expect(functions).toEqual([
      { name: "compare in take", place: "src/records/store.ts", part: 3 / 5 },
      { name: "take", place: "src/records/store.ts", part: 1 / 5 },
      { name: "parse", place: "src/json/lossless.ts", part: 1 / 5 },
    ]);
  });

  test("counts samples by folder; what nobody called is the runtime's own", () => {
    const { folders } = summarizeProfile(profile([3, 6, 6, 5]), "/code", always);
    expect(folders.map(({ name, part }) => [name, part])).toEqual([
      ["src/json", 0.5],
      ["src/records", 0.25],
      ["runtime", 0.25],
    ]);
  });

  test("counts only what was taken within the window", () => {
    const window = { fromMs: 2, toMs: 3 };
    const { samples, functions } = summarizeProfile(profile([6, 2, 2, 6]), "/code", window);
    expect(samples).toBe(2);
    expect(functions.map(({ name, part }) => [name, part])).toEqual([["take", 1]]);
  });
});
