/**
 * What a run with several targets says about them: each against the first one.
 */
import { formatNumber } from "./format.ts";
import type { ChatResult, RoundResult } from "./round-result.ts";
import { median } from "./statistics.ts";

/** One sentence a target and phase; nothing when there is only one target. */
export function comparison(rounds: readonly RoundResult[]): string[] {
  const [first, ...others] = [...Map.groupBy(rounds, (round) => round.target)];
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
