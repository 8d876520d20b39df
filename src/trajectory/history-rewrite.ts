// spec: docs/guarantees.md, "What takes a turn back"
/**
 * Whether a request that takes a turn back is a retry of it, and what it has otherwise where not.
 *
 * A retry sends the turn's prompt again. What differs is no retry but another conversation in the
 * same session: a title maker, a sub-agent, a compacted context, a client that drops reasoning. The
 * turn is taken back all the same, as in the original, but somebody must know of it.
 *
 * Contract   a sentence that names the place, down to the innermost value that differs, with
 *            excerpts of both texts where they begin to.
 * Limits     excerptCharactersMax of each.
 */
import { writeJson } from "../json/lossless.ts";
import type { JsonObject, JsonValue } from "../json/values.ts";
import { excerptCharactersMax } from "../limits.ts";
import { firstDifference } from "./first-difference.ts";
import { comparedCalls, differingMember } from "./message-matcher.ts";

export interface HistoryRewrite {
  /** Of the first message that is not the stored one. */
  readonly index: number;
  /** The member in which it differs; null when the request ends before it. */
  readonly member: string | null;
  readonly reason: string;
}

/**
 * @param prompt stored messages that the turn answered
 * @param matched leading messages of the request that are the stored ones
 * @returns null for a retry
 */
export function historyRewrite(
  prompt: readonly JsonObject[],
  reply: JsonObject,
  request: readonly JsonObject[],
  matched: number,
): HistoryRewrite | null {
  const sent = request[matched];
  const stored = prompt[matched] ?? reply;
  if (sent === undefined) {
    if (matched === prompt.length) return null;
    const reason = `the request ends before messages[${matched}], which the session has`;
    return { index: matched, member: null, reason };
  }
  const member = differingMember(stored, sent) ?? "content";
  const [own, other] =
    member === "tool_calls"
      ? comparedCalls(stored, sent)
      : [stored.get(member) ?? null, sent.get(member) ?? null];
  const difference = firstDifference(own, other);
  const [left, right] = excerpts(difference.stored, difference.sent);
  const place = `messages[${matched}].${member}${difference.path}`;
  const reason = `${place} is ${right} where the session has ${left}`;
  return { index: matched, member, reason };
}

/** Both where they begin to differ, with a few characters before. */
function excerpts(stored: JsonValue, sent: JsonValue): [stored: string, sent: string] {
  const left = textOf(stored);
  const right = textOf(sent);
  let common = 0;
  while (common < left.length && left[common] === right[common]) common++;
  const start = Math.max(0, common - Math.floor(excerptCharactersMax / 4));
  return [excerpt(stored, left, start), excerpt(sent, right, start)];
}

function textOf(value: JsonValue): string {
  return typeof value === "string" ? value : writeJson(value);
}

function excerpt(value: JsonValue, text: string, start: number): string {
  if (value === null) return "nothing";
  const end = start + excerptCharactersMax;
  const cut = `${start > 0 ? "…" : ""}${text.slice(start, end)}${end < text.length ? "…" : ""}`;
  return typeof value === "string" ? JSON.stringify(cut) : cut;
}
