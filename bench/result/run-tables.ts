/**
 * The tables of the rounds of a shape: for each target and phase the median, the range, and every
 * round.
 */
import { partOfLimit } from "./doubts.ts";
import {
  formatBytes,
  formatFailures,
  formatGibibytes,
  formatMebibytes,
  formatNumber,
} from "./format.ts";
import { growthTable } from "./growth-table.ts";
import type { Machine } from "./machine.ts";
import type { ChatResult, PhaseResult, RoundResult } from "./round-result.ts";
import { median } from "./statistics.ts";
import type { Table } from "./table.ts";
import { workersTable } from "./workers-table.ts";

interface Column {
  readonly heading: string;
  /** NaN when the phase does not tell. */
  readonly value: (phase: PhaseResult, round: RoundResult) => number;
  readonly format: (value: number) => string;
}

function chatColumn(heading: string, value: (chat: ChatResult) => number): Column {
  return {
    heading,
    value: ({ chat }) => (chat === null ? Number.NaN : value(chat)),
    format: formatNumber,
  };
}

const useColumns: readonly Column[] = [
  {
    heading: "CPU s",
    value: ({ use }) => use?.cpuSeconds ?? Number.NaN,
    format: formatNumber,
  },
  {
    heading: "peak MiB",
    value: ({ use }) => use?.peakPssBytes ?? Number.NaN,
    format: (value) => (Number.isNaN(value) ? "-" : formatMebibytes(value)),
  },
];

const ingest = ({ chat }: PhaseResult): number => chat?.ingestBytesPerSecond ?? Number.NaN;

const chatColumns: readonly Column[] = [
  chatColumn("turns/s", (chat) => chat.turnsPerSecond),
  chatColumn("mean ms", (chat) => chat.meanMs),
  chatColumn("p50", (chat) => chat.p50Ms),
  chatColumn("p95", (chat) => chat.p95Ms),
  chatColumn("p99", (chat) => chat.p99Ms),
  chatColumn("max", (chat) => chat.maxMs),
  { heading: "in GiB/s", value: ingest, format: formatGibibytes },
  {
    heading: "of socket",
    value: (phase, { limits }) => partOfLimit(phase, limits),
    // Nothing is faster than its limit: that one was not found.
    format: (value) => `${formatNumber(value)}${value > 1 ? " (?)" : ""}`,
  },
  {
    heading: "x fetch",
    value: (phase, { limits }) => ingest(phase) / limits.fetch.bytesPerSecond,
    format: formatNumber,
  },
  {
    heading: "CPU ms/turn",
    value: ({ chat, use }) =>
      chat === null || use === null ? Number.NaN : (use.cpuSeconds / chat.count) * 1000,
    format: formatNumber,
  },
  ...useColumns,
];

const recordsColumns: readonly Column[] = [
  {
    heading: "at a time",
    value: ({ records }) => records?.concurrency ?? Number.NaN,
    format: (value) => value.toFixed(0),
  },
  {
    heading: "GETs",
    value: ({ records }) => records?.count ?? Number.NaN,
    format: (value) => value.toFixed(0),
  },
  {
    heading: "GiB each",
    value: ({ records }) => (records === null ? Number.NaN : records.bytes / records.count),
    format: formatGibibytes,
  },
  {
    heading: "GiB/s",
    value: ({ records }) => records?.bytesPerSecond ?? Number.NaN,
    format: formatGibibytes,
  },
  {
    heading: "median s",
    value: ({ records }) => (records?.medianMs ?? Number.NaN) / 1000,
    format: formatNumber,
  },
  {
    heading: "max s",
    value: ({ records }) => (records?.maxMs ?? Number.NaN) / 1000,
    format: formatNumber,
  },
  {
    heading: "router MiB",
    value: ({ use }) =>
      use?.processes.find(({ name }) => name === "router")?.peakPssBytes ?? Number.NaN,
    format: (value) => (Number.isNaN(value) ? "-" : formatMebibytes(value)),
  },
  ...useColumns,
];

/** All tables that say something about these rounds, of which there is at least one. */
export function runTables(rounds: readonly RoundResult[]): Table[] {
  return [
    chatTable(rounds),
    recordsTable(rounds),
    growthTable(rounds),
    workersTable(rounds),
  ].filter((table) => table !== null);
}

export function chatTable(rounds: readonly RoundResult[]): Table {
  return phaseTable(rounds, chatColumns, (phase) => phase.chat);
}

/** null when the run read no records. */
export function recordsTable(rounds: readonly RoundResult[]): Table | null {
  if (rounds.every((round) => round.phases.every((phase) => phase.records === null))) return null;
  return phaseTable(rounds, recordsColumns, (phase) => phase.records);
}

function phaseTable(
  rounds: readonly RoundResult[],
  columns: readonly Column[],
  partOf: (phase: PhaseResult) => PhaseFailures | null,
): Table {
  const rows: string[][] = [];
  for (const [target, own] of Map.groupBy(rounds, (round) => round.target)) {
    const names = new Set(own.flatMap((round) => round.phases.map((phase) => phase.name)));
    for (const name of names) {
      const measured = own.flatMap((round) =>
        round.phases
          .filter((phase) => phase.name === name && partOf(phase) !== null)
          .map((phase) => ({ round, phase })),
      );
      if (measured.length === 0) continue;
      const cells = (select: (column: Column) => number): string[] =>
        columns.map((column) => column.format(select(column)));
      if (measured.length > 1) {
        const values = (column: Column): number[] =>
          measured.map(({ phase, round }) => column.value(phase, round));
        rows.push([target, name, "median", ...cells((column) => median(values(column))), ""]);
        const least = cells((column) => Math.min(...values(column)));
        const most = cells((column) => Math.max(...values(column)));
        const ranges = least.map((low, index) =>
          low === most[index] ? low : `${low}..${most[index]}`,
        );
        rows.push([target, name, "range", ...ranges, ""]);
      }
      for (const { phase, round } of measured) {
        const values = cells((column) => column.value(phase, round));
        rows.push([target, name, `${round.round + 1}`, ...values, failuresOf(partOf(phase))]);
      }
    }
  }
  const headings = columns.map((column) => column.heading);
  const heading = ["target", "phase", "round", ...headings, "failed"];
  return { heading, rows, wordColumns: 3, endsWithWords: true };
}

interface PhaseFailures {
  readonly failures: Readonly<Record<string, number>>;
  readonly notAttempted?: number;
}

function failuresOf(part: PhaseFailures | null): string {
  const text = formatFailures(part?.failures ?? {});
  const { notAttempted = 0 } = part ?? {};
  return notAttempted === 0 ? text : `${text}; ${notAttempted} not tried`;
}

/** What a reader must know before the figures: bytes, machine, limits. */
export function describeRun(rounds: readonly RoundResult[]): string[] {
  const [first] = rounds;
  if (first === undefined) return [];
  const { workload } = first;
  const socket = rounds.map(({ limits }) => limits.socket);
  const fetched = rounds.map(({ limits }) => limits.fetch);
  const limit = (name: string, results: typeof socket): string => {
    const rates = results.map((result) => result.bytesPerSecond);
    const ends = [Math.min(...rates), Math.max(...rates)].map((rate) => `${formatBytes(rate)}/s`);
    return (
      `${name} ${formatNumber(median(results.map((result) => result.turnsPerSecond)))} turns/s, ` +
      `${formatBytes(median(rates))}/s (rounds ${ends.join(" to ")}), ` +
      `${formatNumber(median(results.map((result) => result.cpuMsPerTurn)))} ms CPU a turn`
    );
  };
  return [
    `bytes: seed ${workload.seed}, requests ${workload.requestsHash}, ` +
      `replies ${workload.repliesHash}; a session: ${workload.tokens} tokens, ` +
      `${formatBytes(workload.requestBytes)} up, ${formatBytes(workload.replyBytes)} down, ` +
      `last reply ${formatBytes(workload.lastReplyBytes)}`,
    describeMachineOf(first),
    `received without a server, the better of before and after: ${limit("socket", socket)}; ` +
      limit("fetch", fetched),
    describeWarmUp(first),
    ...(first.serverFlags.length === 0 ? [] : [`flags: ${first.serverFlags.join(" ")}`]),
    `the harness's own CPU in a round: engine ` +
      `${formatNumber(median(rounds.map(({ harness }) => harness.engineCpuSeconds)))} s, load ` +
      `${formatNumber(median(rounds.map(({ harness }) => harness.loadCpuSeconds)))} s`,
  ];
}

function describeWarmUp({ warmUp, shape }: RoundResult): string {
  const count = warmUp.reduce((sum, pass) => sum + (pass.chat?.count ?? 0), 0);
  if (count === 0) return "every server is fresh and cold: its first turns compile its code";
  return (
    `every server is fresh and then warmed by ${count} turns of ${shape.sessions} sessions at a ` +
    "time, which do not count"
  );
}

export function describeMachineOf(result: {
  readonly machine: Machine;
  readonly startedAt: string;
}): string {
  const { machine, startedAt } = result;
  return (
    `machine: ${machine.cpu}, ${machine.cores} cores, ${formatBytes(machine.memoryBytes)}, ` +
    `Linux ${machine.kernel}, Bun ${machine.bun}, commit ${machine.commit}, ` +
    `${machine.busyCoresBefore} cores busy before; ${startedAt}`
  );
}
