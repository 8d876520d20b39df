/**
 * The tables of one run: for each target and phase the median of its rounds, and every round.
 */
import {
  formatBytes,
  formatFailures,
  formatGibibytes,
  formatMebibytes,
  formatNumber,
} from "./format.ts";
import { doubtAbout, doubtAboutRound, type Machine } from "./machine.ts";
import type { ChatResult, PhaseResult, RoundResult } from "./round-result.ts";
import { median, slope } from "./statistics.ts";
import type { Table } from "./table.ts";

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
    value: (phase, { limits }) => ingest(phase) / limits.socket.bytesPerSecond,
    format: formatNumber,
  },
  {
    heading: "of fetch",
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
        const middle = cells((column) =>
          median(measured.map(({ phase, round }) => column.value(phase, round))),
        );
        rows.push([target, name, "median", ...middle, ""]);
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

/** Turns whose time is shown, as far as a conversation has them. */
const shownTurns = [10, 50, 100, 200];
/** Turns around one that are taken together: single ones are noise. */
const windowTurns = 5;
/** First turns of a fresh server, whose code is not compiled yet: no part of the slope. */
const warmUpTurns = 10;
/** Below this many turns there is no growth to speak of. */
const growthTurnsMin = 50;

/** Time per turn along the conversation; null for short ones. */
export function growthTable(rounds: readonly RoundResult[]): Table | null {
  const turns = rounds[0]?.shape.turns ?? 0;
  if (turns < growthTurnsMin) return null;
  const shown = shownTurns.filter((turn) => turn <= turns);
  const rows = [...Map.groupBy(rounds, (round) => round.target)].map(([target, own]) => {
    const curve = medianCurve(own);
    const times = shown.map((turn) => timeAround(curve, turn));
    const points = curve.map((ms, index) => [index + 1, ms] as const);
    const perTurn = slope(points.slice(warmUpTurns));
    const ratio = (times.at(-1) ?? Number.NaN) / (times[0] ?? Number.NaN);
    return [target, ...times.map(formatNumber), formatNumber(ratio), (perTurn * 1000).toFixed(1)];
  });
  const heading = [
    "target",
    ...shown.map((turn) => `ms at turn ${turn}`),
    `turn ${shown.at(-1)} / turn ${shown[0]}`,
    "slope us/turn",
  ];
  return { heading, rows, wordColumns: 1 };
}

/** Median over rounds of the median over sessions, one value a turn. */
export function medianCurve(rounds: readonly RoundResult[]): number[] {
  const curves = rounds.flatMap((round) => {
    const chat = round.phases[0]?.chat;
    return chat == null ? [] : [chat.medianMsByTurn];
  });
  return (curves[0] ?? []).map((_, turn) => median(curves.map((curve) => curve[turn] ?? 0)));
}

function timeAround(curve: readonly number[], turn: number): number {
  const first = Math.max(0, turn - 1 - windowTurns);
  return median(curve.slice(first, turn + windowTurns));
}

/** What speaks against believing the figures of a run; nothing when they can be believed. */
export function doubtsAbout(rounds: readonly RoundResult[]): string[] {
  const [first] = rounds;
  const before = first === undefined ? null : doubtAbout(first.machine);
  const during = rounds.map(({ machine, phases, others, target, round }) => {
    const wallSeconds = phases.reduce((sum, phase) => sum + phase.wallSeconds, 0);
    const doubt = others === null ? null : doubtAboutRound(machine, wallSeconds, others);
    return doubt === null ? null : `${target}, round ${round + 1}: ${doubt}`;
  });
  return [before, ...during].filter((doubt) => doubt !== null);
}

/** What a reader must know before the figures: bytes, machine, limits. */
export function describeRun(rounds: readonly RoundResult[]): string[] {
  const [first] = rounds;
  if (first === undefined) return [];
  const { workload } = first;
  const socket = rounds.map(({ limits }) => limits.socket);
  const fetched = rounds.map(({ limits }) => limits.fetch);
  const limit = (name: string, results: typeof socket): string =>
    `${name} ${formatNumber(median(results.map((result) => result.turnsPerSecond)))} turns/s, ` +
    `${formatBytes(median(results.map((result) => result.bytesPerSecond)))}/s`;
  return [
    `bytes: seed ${workload.seed}, requests ${workload.requestsHash}, ` +
      `replies ${workload.repliesHash}; a session: ${workload.tokens} tokens, ` +
      `${formatBytes(workload.requestBytes)} up, ${formatBytes(workload.replyBytes)} down, ` +
      `last reply ${formatBytes(workload.lastReplyBytes)}`,
    describeMachineOf(first),
    `limits without a server: ${limit("socket", socket)}; ${limit("fetch", fetched)}`,
    `the harness's own CPU in a round: engine ` +
      `${formatNumber(median(rounds.map(({ harness }) => harness.engineCpuSeconds)))} s, load ` +
      `${formatNumber(median(rounds.map(({ harness }) => harness.loadCpuSeconds)))} s`,
  ];
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
