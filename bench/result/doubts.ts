/**
 * What speaks against believing figures: a machine that others used too, and a server that seems
 * faster than the limit, which then was not found.
 */
import { doubtAbout, doubtAboutOthers } from "./machine.ts";
import type { PhaseResult, RoundResult } from "./round-result.ts";

/** Nothing when nothing does. */
export function doubtsAboutRound({
  machine,
  others,
  phases,
  limits,
}: Pick<RoundResult, "machine" | "others" | "phases" | "limits">): string[] {
  const aboutOthers = others === null ? null : doubtAboutOthers(machine, others);
  const aboutLimit = phases.map((phase) => {
    const part = partOfLimit(phase, limits);
    if (!(part > 1)) return null;
    return (
      `${phase.name} took in ${part.toFixed(2)} times what was received without a server: ` +
      "the limit was not found"
    );
  });
  return [aboutOthers, ...aboutLimit].filter((doubt) => doubt !== null);
}

/** Ingest of a phase over what can be received without a server; NaN without chats. */
export function partOfLimit({ chat }: PhaseResult, limits: RoundResult["limits"]): number {
  return (chat?.ingestBytesPerSecond ?? Number.NaN) / limits.socket.bytesPerSecond;
}

/** The doubts about all rounds of a table, each with the round it belongs to. */
export function doubtsAbout(rounds: readonly RoundResult[]): string[] {
  const before = new Set(rounds.map(({ machine }) => doubtAbout(machine)));
  const during = rounds.flatMap(({ doubts, target, round }) =>
    doubts.map((doubt) => `${target}, round ${round + 1}: ${doubt}`),
  );
  return [...before, ...during].filter((doubt) => doubt !== null);
}
