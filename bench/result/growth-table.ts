/**
 * How much more a turn costs late in a conversation than early, from runs whose sessions advance in
 * step on a server that is warm. What must hold: a turn that adds the same as every other takes
 * less than 1.5 times as long at turn 200 as at turn 10.
 */
import { formatNumber } from "./format.ts";
import { phaseNames } from "./phase-names.ts";
import type { ChatResult, RoundResult } from "./round-result.ts";
import { median, slope } from "./statistics.ts";
import type { Table } from "./table.ts";

/** Turns whose cost is shown, as far as a conversation has them. */
const shownTurns = [10, 50, 100, 200];
/** Turns on each side of one that count with it. */
const windowTurns = 5;

const measures = [
  { name: "wall ms", curve: (chat: ChatResult) => chat.medianMsByTurn },
  { name: "CPU ms", curve: (chat: ChatResult) => chat.cpuMsByTurn },
] as const;

/** null for a run that is not in step, or has too few turns. */
export function growthTable(rounds: readonly RoundResult[]): Table | null {
  const inStep = rounds.filter((round) => round.advance === "in step");
  const turns = inStep[0]?.shape.turns ?? 0;
  const shown = shownTurns.filter((turn) => turn <= turns);
  if (shown.length < 2) return null;
  const rows = [...Map.groupBy(inStep, (round) => round.target)].flatMap(([target, own]) =>
    measures.flatMap(({ name, curve }) => {
      const curves = own.map((round) => {
        const chat = chatOf(round);
        return chat === undefined ? [] : curve(chat);
      });
      if (curves.every((one) => one.length === 0)) return [];
      const values = curves.map((one) => growthOf(one, shown));
      const middle = values[0]?.map((_, index) => median(values.map((row) => row[index] ?? 0)));
      const row = (round: string, cells: readonly number[]): string[] => [
        target,
        name,
        round,
        ...cells.map(formatNumber),
      ];
      return [
        ...(values.length > 1 && middle !== undefined ? [row("median", middle)] : []),
        ...values.map((cells, index) => row(`${(own[index]?.round ?? 0) + 1}`, cells)),
      ];
    }),
  );
  const heading = [
    ...["target", "of a turn", "round"],
    ...shown.map((turn) => `at turn ${turn}`),
    `turn ${shown.at(-1)} / turn ${shown[0]} (less than 1.5)`,
    "slope us/turn",
  ];
  return { heading, rows, wordColumns: 3 };
}

/** The cost around each shown turn, the last over the first, and the slope in us a turn. */
function growthOf(curve: readonly number[], shown: readonly number[]): number[] {
  const costs = shown.map((turn) =>
    median(curve.slice(turn - 1 - windowTurns, turn + windowTurns)),
  );
  const points = curve.map((ms, index) => [index + 1, ms] as const);
  const [firstShown = 1] = shown;
  const perTurn = slope(points.slice(firstShown - 1 - windowTurns)) * 1000;
  return [...costs, (costs.at(-1) ?? Number.NaN) / (costs[0] ?? Number.NaN), perTurn];
}

function chatOf({ phases }: RoundResult): ChatResult | undefined {
  return phases.find((phase) => phase.name === phaseNames.chats)?.chat ?? undefined;
}

/** Median over rounds of the median over sessions, one value a turn. */
export function medianCurve(rounds: readonly RoundResult[]): number[] {
  const curves = rounds.flatMap(({ phases }) => {
    const chat = phases[0]?.chat;
    return chat == null ? [] : [chat.medianMsByTurn];
  });
  return (curves[0] ?? []).map((_, turn) => median(curves.map((curve) => curve[turn] ?? 0)));
}
