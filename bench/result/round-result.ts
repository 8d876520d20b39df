/**
 * The result of one round as it stands in bench/results: one JSON object a line.
 *
 * Contract   a line explains itself: what was run, on which bytes, against what, on which machine,
 *            and what the limits were at that moment. Numbers are in the units of their names.
 */
import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { GroupUse, MemorySample } from "../process/group-meter.ts";
import type { Shape } from "../workload/shape.ts";
import type { WorkloadSummary } from "../workload/workload.ts";
import type { Machine } from "./machine.ts";
import { microResultsFile } from "./micro-result.ts";
import type { Histogram, LatencyStatistics } from "./statistics.ts";

/** Of lines with another number nothing is known. */
export const resultVersion = 1;

export interface LimitResult {
  readonly turnsPerSecond: number;
  readonly bytesPerSecond: number;
}

export interface ChatResult extends LatencyStatistics {
  readonly turnsPerSecond: number;
  /** Bytes a second that the engine sent for the turns that succeeded. */
  readonly ingestBytesPerSecond: number;
  readonly requestBytes: number;
  readonly replyBytes: number;
  readonly histogram: Histogram;
  /** Median over the sessions, one a turn. */
  readonly medianMsByTurn: readonly number[];
  readonly failures: Readonly<Record<string, number>>;
  readonly notAttempted: number;
  /** Equal for servers that gave the same replies, byte for byte. */
  readonly replyHash: string;
}

export interface RecordsResult {
  readonly concurrency: number;
  readonly count: number;
  readonly bytes: number;
  readonly bytesPerSecond: number;
  readonly medianMs: number;
  readonly maxMs: number;
  readonly failures: Readonly<Record<string, number>>;
}

export interface PhaseResult {
  readonly name: string;
  readonly wallSeconds: number;
  readonly chat: ChatResult | null;
  readonly records: RecordsResult | null;
  /** The server's process group; null for a URL without process ids. */
  readonly use: GroupUse | null;
}

export interface RoundResult {
  readonly version: typeof resultVersion;
  /** The same for all rounds of a run. */
  readonly run: string;
  readonly startedAt: string;
  readonly shape: Shape;
  readonly workload: WorkloadSummary;
  readonly target: string;
  readonly serverFlags: readonly string[];
  readonly round: number;
  /** Place in its round, from 0: later ones run on a warmer machine. */
  readonly position: number;
  readonly machine: Machine;
  readonly limits: { readonly socket: LimitResult; readonly fetch: LimitResult };
  readonly phases: readonly PhaseResult[];
  readonly memory: readonly MemorySample[];
  /** Processor seconds of the harness's own processes while it ran. */
  readonly harness: { readonly engineCpuSeconds: number; readonly loadCpuSeconds: number };
  /** What the rest of the machine took meanwhile; null where the server's own part is unknown. */
  readonly others: { readonly cpuSeconds: number; readonly stolenSeconds: number } | null;
  /** How the server ended if it ended by itself; then the round failed. */
  readonly serverEnd: string | null;
}

export function appendResult(directory: string, result: RoundResult): void {
  mkdirSync(directory, { recursive: true });
  appendFileSync(join(directory, `${result.shape.name}.jsonl`), `${JSON.stringify(result)}\n`);
}

/** All results of a directory, oldest first within a shape. */
export function readResults(directory: string): RoundResult[] {
  if (!existsSync(directory)) return [];
  return readdirSync(directory)
    .filter((name) => name.endsWith(".jsonl") && name !== microResultsFile)
    .sort()
    .flatMap((name) => readFileSync(join(directory, name), "utf8").split("\n"))
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as RoundResult)
    .filter((result) => result.version === resultVersion);
}

/** The rounds of each run, in the order of their first line. */
export function groupByRun(results: readonly RoundResult[]): RoundResult[][] {
  return [...Map.groupBy(results, (result) => result.run).values()];
}
