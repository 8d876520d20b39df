/**
 * What was found, for a person: one line a turn, and below each fault the two texts around the
 * first difference.
 */
import type { GrowingConversation } from "./conversations.ts";
import { appendedRun, type Difference, type Finding } from "./turn-check.ts";

export interface CheckedTurn {
  readonly conversation: GrowingConversation;
  /** Index of the generated message. */
  readonly turn: number;
  readonly finding: Finding;
}

export function isFault({ kind }: Finding): boolean {
  return kind !== "equal" && kind !== "not taken";
}

/** @param subject such as "family qwen3 on /models/Qwen3-8B" */
export function reportText(subject: string, turns: readonly CheckedTurn[]): string {
  const lines = turns.flatMap(describeTurn);
  const faults = turns.filter(({ finding }) => isFault(finding)).length;
  const skipped = turns.filter(({ finding }) => finding.kind === "not taken").length;
  const checked = turns.length - skipped;
  const verdict =
    faults === 0
      ? `${subject}: append-only, and incremental tokens equal the full render, in ` +
        `${checked} of ${checked} turns`
      : `${subject}: ${faults} of ${checked} turns fail`;
  const left = skipped === 0 ? "" : `; ${skipped} append a role that the family does not take`;
  return `${[...lines, "", verdict + left].join("\n")}\n`;
}

function describeTurn({ conversation, turn, finding }: CheckedTurn): string[] {
  const roles = appendedRun(conversation, turn).map((message) => String(message.get("role")));
  const place = `${conversation.name}: message ${turn} + ${roles.join(", ")}`;
  switch (finding.kind) {
    case "equal":
      return [`  ok      ${place}`];
    case "not taken":
      return [`  skipped ${place} (${finding.role} is not taken)`];
    case "refused":
      return [`  FAILED  ${place}`, `          cannot be rendered: ${finding.reason}`];
    case "history changed":
      return [
        `  FAILED  ${place}`,
        "          the longer render does not begin with the history's:",
        ...describeDifference(finding.difference, ["longer", "history"]),
      ];
    case "tokens differ":
      return [
        `  FAILED  ${place}`,
        "          stored and appended tokens are not those of the full render:",
        ...describeDifference(finding.difference, ["full", "joined"]),
      ];
  }
}

function describeDifference(
  { expected, actual, equalTokens }: Difference,
  [expectedName, actualName]: readonly [string, string],
): string[] {
  const width = Math.max(expectedName.length, actualName.length);
  const [left, right] = [JSON.stringify(expected), JSON.stringify(actual)];
  let equal = 0;
  while (equal < left.length && left[equal] === right[equal]) equal += 1;
  const sameText = expected === actual ? " (the same text, cut into other tokens)" : "";
  return [
    `          ${equalTokens} tokens are equal, then${sameText}`,
    `            ${expectedName.padEnd(width)}  ${left}`,
    `            ${actualName.padEnd(width)}  ${right}`,
    ...(expected === actual ? [] : [`            ${" ".repeat(width + 2 + equal)}^`]),
  ];
}
