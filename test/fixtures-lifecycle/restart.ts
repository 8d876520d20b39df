/** Prints how it was started, one line of JSON a start, and restarts with the upstream settings. */
import { writeSync } from "node:fs";
import {
  restartWithUpstreamSettings,
  upstreamSettings,
} from "../../src/lifecycle/upstream-settings.ts";

const words = process.argv.slice(2);
const settled = Object.entries(upstreamSettings).every(
  ([name, value]) => process.env[name] === value,
);
writeSync(1, `${JSON.stringify({ pid: process.pid, words, settled })}\n`);
restartWithUpstreamSettings(words);
