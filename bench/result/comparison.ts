/**
 * What a run with several targets says about them: each against the first one, and each phase
 * against the server's first.
 */
import { formatNumber } from "./format.ts";
import type { ChatResult, RoundResult } from "./round-result.ts";
import { median } from "./statistics.ts";

/** One sentence a target and phase; nothing when there is nothing to compare. */
export function comparison(rounds: readonly RoundResult[]): string[] {
  const targets = [...Map.groupBy(rounds, (round) => round.target)];
  return [
    ...targets.flatMap(([label, own]) => phasesAgainstFirst(label, own)),
    ...againstFirst(targets),
  ];
}

/** What concurrent GETs cost the chats of the same server. */
function phasesAgainstFirst(label: string, rounds: readonly RoundResult[]): string[] {
  const names = [...new Set(rounds.flatMap(({ phases }) => phases.map(({ name }) => name)))];
  const [first, ...others] = names.filter((name) => chatsOf(rounds, name).length > 0);
  if (first === undefined) return [];
  const middle = (name: string, value: (chat: ChatResult) => number): number =>
    median(chatsOf(rounds, name).map(value));
  return others.map((name) => {
    const ratio = (value: (chat: ChatResult) => number): string =>
      formatNumber(middle(name, value) / middle(first, value));
    return (
      `${label}, ${name} against ${first}: ${ratio((chat) => chat.p99Ms)} x p99, ` +
      `${ratio((chat) => chat.p50Ms)} x p50, ${ratio((chat) => chat.turnsPerSecond)} x turns/s`
    );
  });
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
        `${label} against ${baseLabel}, ${name}: ${ratio((chat) => chat.turnsPerSecond)} x turns/s ` +
          `(rounds ${spread(right)} against ${spread(left)}), ${ratio((chat) => chat.p50Ms)} x p50, ` +
          `${ratio((chat) => chat.p99Ms)} x p99; ${sameReplies([...left, ...right])}`,
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
