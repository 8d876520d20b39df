/**
 * The result of one round as it stands in bench/results: one JSON object a line.
 *
 * Contract   a line explains itself: what was run, on which bytes, against what, on which machine,
 *            and what the limits were at that moment. Numbers are in the units of their names.
 */
import type { GroupUse, MemorySample } from "../process/group-meter.ts";
import { describeShape, type Shape } from "../workload/shape.ts";
import type { WorkloadSummary } from "../workload/workload.ts";
import type { Machine, OthersTime } from "./machine.ts";
import { appendLine, readLines, shapeFiles } from "./result-files.ts";
import type { Histogram, LatencyStatistics } from "./statistics.ts";

/** Of lines with another number nothing is known. */
export const resultVersion = 2;

export interface LimitResult {
  readonly turnsPerSecond: number;
  readonly bytesPerSecond: number;
  /** Processor time of the receiving processes. */
  readonly cpuMsPerTurn: number;
}

export interface Limits {
  readonly socket: LimitResult;
  readonly fetch: LimitResult;
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
  /** Processor time of the whole server for one chat, one a turn; none unless chats are in step. */
  readonly cpuMsByTurn: readonly number[];
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
  /** Milliseconds since 1970. */
  readonly startedAtMs: number;
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
  /** Of a server of this program; null for any other. */
  readonly workers: number | null;
  readonly serverFlags: readonly string[];
  readonly round: number;
  /** Place in its round, from 0: later ones run on a warmer machine. */
  readonly position: number;
  readonly machine: Machine;
  /** The better ones of those before the server and after it. */
  readonly limits: Limits;
  readonly limitsBefore: Limits;
  readonly limitsAfter: Limits;
  readonly advance: "freely" | "in step";
  /** What the server did before anything counted; nothing when it was measured cold. */
  readonly warmUp: readonly PhaseResult[];
  readonly phases: readonly PhaseResult[];
  readonly memory: readonly MemorySample[];
  /** Processor seconds of the harness's own processes while it ran. */
  readonly harness: { readonly engineCpuSeconds: number; readonly loadCpuSeconds: number };
  /** What the rest of the machine took meanwhile; null where the server's own part is unknown. */
  readonly others: OthersTime | null;
  /** What speaks against believing the round; nothing when nothing does. */
  readonly doubts: readonly string[];
  /** How the server ended if it ended by itself; then the round failed. */
  readonly serverEnd: string | null;
}

export function appendResult(directory: string, result: RoundResult): void {
  appendLine(directory, `${result.shape.name}.jsonl`, result);
}

/** All results of a directory, oldest first within a shape. */
export function readResults(directory: string): RoundResult[] {
  return shapeFiles(directory)
    .flatMap((file) => readLines(directory, file) as RoundResult[])
    .filter((result) => result.version === resultVersion);
}

/**
 * For every shape and kind of run the rounds of its newest commit, in the order of their runs, with
 * the rounds of each target numbered anew: what is shown of it is not one lucky run.
 */
export function roundsOfNewestCommits(results: readonly RoundResult[]): RoundResult[][] {
  const alike = Map.groupBy(results, ({ shape, phases, serverFlags, warmUp }) => {
    const names = [...warmUp, ...phases].map((phase) => phase.name);
    return [shape.name, describeShape(shape), ...names, ...serverFlags].join("; ");
  });
  return [...alike.values()].map((rounds) => {
    const commit = rounds.at(-1)?.machine.commit;
    const counts = new Map<string, number>();
    return rounds
      .filter(({ machine }) => machine.commit === commit)
      .map((result) => {
        const round = counts.get(result.target) ?? 0;
        counts.set(result.target, round + 1);
        return { ...result, round };
      });
  });
}

/** The rounds of each run, in the order of their first line. */
export function groupByRun(results: readonly RoundResult[]): RoundResult[][] {
  return [...Map.groupBy(results, (result) => result.run).values()];
}
