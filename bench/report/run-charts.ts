/**
 * The charts of a run, and the one that spans the runs of a shape with different sessions.
 */

import { medianCurve } from "../result/growth-table.ts";
import type { ChatResult, RoundResult } from "../result/round-result.ts";
import { binGrowth, median } from "../result/statistics.ts";
import { barChart, lineChart, type Series } from "./chart.ts";

const mebibyte = 1024 ** 2;
/** A curve of fewer turns is no curve. */
const growthTurnsMin = 10;

export function runCharts(run: readonly RoundResult[]): string {
  return [throughput(run), latencies(run), memory(run), growth(run)].join("");
}

function throughput(run: readonly RoundResult[]): string {
  const bars = byTarget(run).flatMap(([target, rounds]) =>
    phaseNames(rounds).map((name) => {
      const rates = chatsOf(rounds, name).map((chat) => chat.turnsPerSecond);
      const label = name === "chats" ? target : `${target}, ${name}`;
      return { label, value: median(rates), dots: rates };
    }),
  );
  return barChart({ title: "Throughput", yLabel: "turns/s by server and workers", bars });
}

/** Cumulative, over all rounds: what part of the turns took at most so long. */
function latencies(run: readonly RoundResult[]): string {
  const series = byTarget(run).flatMap(([target, rounds]) =>
    phaseNames(rounds).map((name): Series => {
      const bins = new Map<number, number>();
      for (const [upperMs, count] of chatsOf(rounds, name).flatMap((chat) => chat.histogram)) {
        bins.set(upperMs, (bins.get(upperMs) ?? 0) + count);
      }
      const sorted = [...bins].sort(([left], [right]) => left - right);
      const total = sorted.reduce((sum, [, count]) => sum + count, 0);
      let seen = 0;
      const points: [number, number][] = [[(sorted[0]?.[0] ?? 1) / binGrowth, 0]];
      for (const [upperMs, count] of sorted) {
        seen += count;
        points.push([upperMs, (seen / total) * 100]);
      }
      return { label: name === "chats" ? target : `${target}, ${name}`, points };
    }),
  );
  return lineChart({
    title: "Latency distribution",
    yLabel: "% of turns that took at most so long",
    xLabel: "milliseconds",
    series,
    logarithmicX: true,
  });
}

/** Of the last round of each target. */
function memory(run: readonly RoundResult[]): string {
  const series = byTarget(run).flatMap(([label, rounds]): Series[] => {
    const samples = rounds.at(-1)?.memory ?? [];
    if (samples.length === 0) return [];
    return [{ label, points: samples.map(([seconds, bytes]) => [seconds, bytes / mebibyte]) }];
  });
  return lineChart({
    title: "Memory of all processes",
    yLabel: "MiB (PSS), last round",
    xLabel: "seconds since the server was ready",
    series,
  });
}

function growth(run: readonly RoundResult[]): string {
  if ((run[0]?.shape.turns ?? 0) < growthTurnsMin) return "";
  const series = byTarget(run).map(([label, rounds]) => ({
    label,
    points: medianCurve(rounds).map((ms, index) => [index + 1, ms] as const),
  }));
  return lineChart({
    title: "Time per turn along the conversation",
    yLabel: "ms, median over sessions and rounds",
    xLabel: "turn",
    series,
  });
}

/** Throughput against the number of sessions, for shapes that were run with several. */
export function sessionsChart(runs: readonly (readonly RoundResult[])[]): string {
  const byShape = Map.groupBy(runs.flat(), ({ shape }) => `${shape.name}, ${shape.turns} turns`);
  const charts = [...byShape].flatMap(([name, rounds]) => {
    const counts = new Set(rounds.map((round) => round.shape.sessions));
    if (counts.size < 2) return [];
    const series = byTarget(rounds).map(([label, own]) => ({
      label,
      points: [...Map.groupBy(own, (round) => round.shape.sessions)]
        .sort(([left], [right]) => left - right)
        .map(([sessions, group]) => {
          const rates = chatsOf(group, "chats").map((chat) => chat.turnsPerSecond);
          return [sessions, median(rates)] as const;
        }),
    }));
    const title = `Throughput against sessions: ${name}`;
    return [
      lineChart({ title, yLabel: "turns/s", xLabel: "sessions", series, logarithmicX: true }),
    ];
  });
  if (charts.length === 0) return "";
  return `<section><h2>Sessions</h2><div class="charts">${charts.join("")}</div></section>`;
}

function byTarget(run: readonly RoundResult[]): [string, RoundResult[]][] {
  return [...Map.groupBy(run, (round) => round.target)];
}

function phaseNames(rounds: readonly RoundResult[]): string[] {
  const chatting = rounds.flatMap((round) => round.phases.filter((phase) => phase.chat !== null));
  return [...new Set(chatting.map((phase) => phase.name))];
}

function chatsOf(rounds: readonly RoundResult[], phaseName: string): ChatResult[] {
  return rounds.flatMap((round) =>
    round.phases.flatMap(({ name, chat }) => (name === phaseName && chat !== null ? [chat] : [])),
  );
}
