/**
 * Every micro benchmark.
 */
import { frameReader, frameWriter } from "./frames.ts";
import type { MicroBenchmark } from "./micro-benchmark.ts";
import { ownerHash } from "./ownership.ts";
import { extentCompare, payloadStore, spanScanner } from "./replies.ts";
import { appends, tokenizations } from "./tokens.ts";

export const microBenchmarks: readonly MicroBenchmark[] = [
  frameReader,
  frameWriter,
  spanScanner,
  payloadStore,
  extentCompare,
  ownerHash,
  ...appends,
  ...tokenizations,
];
