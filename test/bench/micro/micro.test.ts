/**
 * Every micro benchmark runs at its smoke size, so that none of them rots.
 */
import { describe, expect, test } from "bun:test";
import { microBenchmarks } from "../../../bench/micro/all.ts";
import { measure, smokeSettings } from "../../../bench/micro/measure.ts";

describe("micro benchmarks", () => {
  for (const benchmark of microBenchmarks) {
    test(`${benchmark.name} runs and checks its outcome`, async () => {
      const prepared = await benchmark.prepare("smoke");
      const { medianNs, samples } = await measure(prepared, smokeSettings);
      expect(samples).toBe(1);
      expect(medianNs).toBeGreaterThan(0);
    });
  }
});

describe("measure()", () => {
  test("repeats an operation until a sample is long enough", async () => {
    let runs = 0;
    const run = () => {
      runs += 1;
    };
    await measure({ bytes: null, run }, { sampleMs: 2, samples: 3 });
    expect(runs).toBeGreaterThan(100);
  });

  test("rejects when an operation fails", async () => {
    const run = async () => {
      throw new Error("outcome is wrong");
    };
    await expect(measure({ bytes: null, run }, smokeSettings)).rejects.toThrow("outcome is wrong");
  });
});
