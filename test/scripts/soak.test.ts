/**
 * The soak at a size that every run of the tests can afford.
 */
import { expect, test } from "bun:test";
import { parseSoakOptions } from "../../scripts/soak/options.ts";
import { soak } from "../../scripts/soak/run.ts";
import { seedOf } from "../harness/random.ts";
import { hangMs } from "../harness/time-limit.ts";

test(
  "soak() in its small size, about 20 s, finds every session as its model says, and the server as it was",
  async () => {
    const words = ["--seconds", "14", "--sessions", "120", "--workers", "2", "--think-ms", "800"];
    const result = await soak(parseSoakOptions([...words, "--seed", String(seedOf("soak"))]));
    expect(result.violations).toEqual([]);
    const actions = [...result.actions.values()].reduce((sum, count) => sum + count, 0);
    console.log(`soak: ${actions} actions in ${Math.round(result.seconds)} s, no violation`);
    // Every kind of action and of trouble was met.
    expect(result.actions.size).toBe(8);
    expect(result.backend.size).toBe(8);
  },
  hangMs,
);
