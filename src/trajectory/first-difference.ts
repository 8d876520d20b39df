/**
 * Where two JSON values begin to differ: the place that a sentence about the difference names.
 *
 * Contract   equality is Python's, as in message-matcher.ts; members in the order of the stored
 *            value, then those that it does not have. Values are at most as deep as limits.ts
 *            allows JSON to be, so recursion is bounded.
 */
import { jsonEqual } from "../json/python-equality.ts";
import type { JsonValue } from "../json/values.ts";

export interface Difference {
  /** Behind the name of the value: `[0].function.name`; empty for the value itself. */
  readonly path: string;
  /** What stands there; null for what is not there, too. */
  readonly stored: JsonValue;
  readonly sent: JsonValue;
}

/** The innermost difference of the first members or items that differ. */
export function firstDifference(stored: JsonValue, sent: JsonValue): Difference {
  const step = firstStep(stored, sent);
  if (step === null) return { path: "", stored, sent };
  const inner = firstDifference(step.stored, step.sent);
  return { ...inner, path: step.path + inner.path };
}

/** One level down; null where the values themselves are the difference. */
function firstStep(stored: JsonValue, sent: JsonValue): Difference | null {
  if (Array.isArray(stored) && Array.isArray(sent)) {
    const longer = stored.length < sent.length ? sent : stored;
    const index = longer.findIndex((_, place) => !sameThere(stored[place], sent[place]));
    if (index < 0) return null;
    return { path: `[${index}]`, stored: stored[index] ?? null, sent: sent[index] ?? null };
  }
  if (!(stored instanceof Map && sent instanceof Map)) return null;
  for (const name of [...stored.keys(), ...sent.keys()]) {
    if (sameThere(stored.get(name), sent.get(name))) continue;
    return {
      path: /^\w+$/.test(name) ? `.${name}` : `[${JSON.stringify(name)}]`,
      stored: stored.get(name) ?? null,
      sent: sent.get(name) ?? null,
    };
  }
  return null;
}

function sameThere(stored: JsonValue | undefined, sent: JsonValue | undefined): boolean {
  if (stored === undefined || sent === undefined) return stored === sent;
  return jsonEqual(stored, sent);
}
