/**
 * What runs say about several targets: each against the first one of the same run, and chats with
 * GETs against those of the same server without them.
 */
import { formatNumber } from "./format.ts";
import { phaseNames } from "./phase-names.ts";
import type { ChatResult, RoundResult } from "./round-result.ts";
import { mean, median } from "./statistics.ts";

/** One sentence a target and phase; nothing when there is nothing to compare. */
export function comparison(rounds: readonly RoundResult[]): string[] {
  const byTarget = Map.groupBy(rounds, (round) => round.target);
  const runs = Map.groupBy(rounds, (round) => round.run);
  // Figures of another run belong to another machine, of a minute ago or of last week.
  const sharing = rounds.filter(({ run, target }) =>
    runs.get(run)?.some((other) => other.target !== target),
  );
  return [
    ...[...byTarget].flatMap(([label, own]) => withGetsAgainstWithout(label, own)),
    ...againstFirst([...Map.groupBy(sharing, (round) => round.target)]),
  ];
}

/** What concurrent GETs cost: in every round against the chats before and after them. */
function withGetsAgainstWithout(label: string, rounds: readonly RoundResult[]): string[] {
  const sets = rounds.flatMap((round) => {
    const chat = (name: string): ChatResult | null =>
      round.phases.find((phase) => phase.name === name)?.chat ?? null;
    const before = chat(phaseNames.chatsBefore);
    const during = chat(phaseNames.chatsWithGets);
    const after = chat(phaseNames.chatsAfter);
    return before === null || during === null || after === null ? [] : [{ before, during, after }];
  });
  if (sets.length === 0) return [];
  const ratio = (value: (chat: ChatResult) => number): string => {
    const ratios = sets.map(
      ({ before, during, after }) => value(during) / mean([value(before), value(after)]),
    );
    return `${formatNumber(median(ratios))} (rounds ${ratios.map(formatNumber).join(", ")})`;
  };
  return [
    `${label}, ${phaseNames.chatsWithGets} against the mean of those before and after, round by ` +
      `round: p99 x ${ratio((chat) => chat.p99Ms)}, p50 x ${ratio((chat) => chat.p50Ms)}, ` +
      `turns/s x ${ratio((chat) => chat.turnsPerSecond)}`,
  ];
}

function againstFirst(targets: readonly (readonly [string, RoundResult[]])[]): string[] {
  const [first, ...others] = targets;
  if (first === undefined) return [];
  const [baseLabel, base] = first;
  return others.flatMap(([label, own]) =>
    (own[0]?.phases ?? []).flatMap(({ name }) => {
      const left = chatsOf(base, name);
      const right = chatsOf(own, name);
      if (left.length === 0 || right.length === 0) return [];
      const ratio = (value: (chat: ChatResult) => number): string =>
        formatNumber(median(right.map(value)) / median(left.map(value)));
      return [
        `${label} against ${baseLabel}, ${name}: ` +
          `${ratio((chat) => chat.turnsPerSecond)} x turns/s ` +
          `(rounds ${spread(right)} against ${spread(left)}), ` +
          `${ratio((chat) => chat.p50Ms)} x p50, ${ratio((chat) => chat.p99Ms)} x p99; ` +
          sameReplies([...left, ...right]),
      ];
    }),
  );
}

function chatsOf(rounds: readonly RoundResult[], phaseName: string): ChatResult[] {
  return rounds.flatMap((round) =>
    round.phases.flatMap(({ name, chat }) => (name === phaseName && chat !== null ? [chat] : [])),
  );
}

function spread(chats: readonly ChatResult[]): string {
  const rates = chats.map((chat) => chat.turnsPerSecond);
  return `${formatNumber(Math.min(...rates))}..${formatNumber(Math.max(...rates))}`;
}

function sameReplies(chats: readonly ChatResult[]): string {
  const isSame = new Set(chats.map((chat) => chat.replyHash)).size === 1;
  return isSame ? "replies equal byte for byte" : "REPLIES DIFFER";
}
