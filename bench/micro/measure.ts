/**
 * Time of one operation: the median of several samples, each long enough for the clock.
 */
import { median } from "../result/statistics.ts";
import type { PreparedBenchmark } from "./micro-benchmark.ts";

export interface Measurement {
  readonly medianNs: number;
  readonly fastestNs: number;
  readonly samples: number;
}

export interface MeasureSettings {
  readonly sampleMs: number;
  readonly samples: number;
}

export const fullSettings: MeasureSettings = { sampleMs: 100, samples: 11 };
export const smokeSettings: MeasureSettings = { sampleMs: 0, samples: 1 };

export async function measure(
  benchmark: PreparedBenchmark,
  settings: MeasureSettings,
): Promise<Measurement> {
  // Before anything counts, the code is compiled and the number of repeats is found.
  let repeats = 1;
  for (;;) {
    const ms = await timed(benchmark, repeats);
    if (ms >= settings.sampleMs) break;
    repeats = Math.max(repeats + 1, Math.ceil((repeats * settings.sampleMs * 1.2) / (ms + 0.01)));
  }
  const samples: number[] = [];
  for (let index = 0; index < settings.samples; index += 1) {
    samples.push(((await timed(benchmark, repeats)) / repeats) * 1e6);
  }
  return {
    medianNs: median(samples),
    fastestNs: Math.min(...samples),
    samples: samples.length,
  };
}

async function timed(benchmark: PreparedBenchmark, repeats: number): Promise<number> {
  const startedAt = performance.now();
  for (let index = 0; index < repeats; index += 1) {
    const result = benchmark.run();
    // Awaiting what is no promise would be measured as well.
    if (result instanceof Promise) await result;
  }
  return performance.now() - startedAt;
}
