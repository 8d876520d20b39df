/**
 * Every micro benchmark.
 */
import { frameReader, frameWriter } from "./frames.ts";
import type { MicroBenchmark } from "./micro-benchmark.ts";
import { ownerHash } from "./ownership.ts";
import { extentCompare, spanScanner } from "./replies.ts";
import { templateRender, tokenizations } from "./tokens.ts";

export const microBenchmarks: readonly MicroBenchmark[] = [
  frameReader,
  frameWriter,
  spanScanner,
  extentCompare,
  ownerHash,
  templateRender,
  ...tokenizations,
];
