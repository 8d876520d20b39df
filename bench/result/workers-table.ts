/**
 * What more workers cost and bring: the same server with several worker counts in the same runs.
 */
import { formatMebibytes, formatNumber } from "./format.ts";
import type { ChatResult, PhaseResult, RoundResult } from "./round-result.ts";
import { median } from "./statistics.ts";
import type { Table } from "./table.ts";

/** null unless a run had several worker counts; compares medians of the first phase with chats. */
export function workersTable(rounds: readonly RoundResult[]): Table | null {
  const runs = Map.groupBy(rounds, (round) => round.run);
  const shared = rounds.filter(
    ({ run, workers }) =>
      workers !== null &&
      runs.get(run)?.some((other) => other.workers !== null && other.workers !== workers),
  );
  const groups = [...Map.groupBy(shared, (round) => round.target)]
    .map(([target, own]) => costsOf(target, own))
    .filter((costs) => costs !== null)
    .toSorted((left, right) => left.workers - right.workers);
  const [fewest] = groups;
  if (fewest === undefined || groups.length < 2) return null;
  const rows = groups.map((costs) => [
    costs.target,
    formatNumber(costs.turnsPerSecond),
    formatNumber(costs.turnsPerSecond / fewest.turnsPerSecond),
    formatNumber(costs.p50Ms),
    formatNumber(costs.p99Ms),
    formatNumber(costs.p99Ms / fewest.p99Ms),
    formatNumber(costs.cpuMsPerTurn),
    formatNumber(costs.cpuMsPerTurn - fewest.cpuMsPerTurn),
    formatMebibytes(costs.peakBytes),
    formatMebibytes(costs.peakBytes - fewest.peakBytes),
  ]);
  const than = fewest.target;
  const heading = [
    ...["workers", "turns/s", `turns/s x ${than}`, "p50 ms", "p99 ms", `p99 x ${than}`],
    ...["CPU ms/turn", `more than ${than}`, "peak MiB", `more than ${than}`],
  ];
  return { heading, rows, wordColumns: 1 };
}

interface Costs {
  readonly target: string;
  readonly workers: number;
  readonly turnsPerSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly cpuMsPerTurn: number;
  readonly peakBytes: number;
}

function costsOf(target: string, rounds: readonly RoundResult[]): Costs | null {
  const measured = rounds.flatMap(({ phases }) => phases.filter(hasChat).slice(0, 1));
  const workers = rounds[0]?.workers ?? null;
  if (workers === null || measured.length === 0) return null;
  const middle = (value: (chat: ChatResult, phase: PhaseResult) => number): number =>
    median(measured.map((phase) => value(phase.chat, phase)));
  return {
    target,
    workers,
    turnsPerSecond: middle((chat) => chat.turnsPerSecond),
    p50Ms: middle((chat) => chat.p50Ms),
    p99Ms: middle((chat) => chat.p99Ms),
    cpuMsPerTurn: middle((chat, { use }) => ((use?.cpuSeconds ?? Number.NaN) / chat.count) * 1000),
    peakBytes: middle((_, { use }) => use?.peakPssBytes ?? Number.NaN),
  };
}

function hasChat(phase: PhaseResult): phase is PhaseResult & { readonly chat: ChatResult } {
  return phase.chat !== null;
}
