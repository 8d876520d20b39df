// spec: docs/clients.md, "What a client sends back"
/**
 * Whether a replayed message is the stored one, for clients whose protocol writes replies anew.
 *
 * A reply goes through the client's own types before it comes back: arguments are parsed and
 * written again, reasoning is signed, summarised or left out, white space is trimmed, empty texts
 * vanish. None of that is an edit.
 *
 * Contract   as `loose_tool_call`, and of a reply: white space around content and reasoning does
 *            not count; reasoning that does not come back is the stored one; arguments are equal
 *            also when their numbers are after a round trip through doubles; a call without a
 *            stored id, or with stored arguments that are no JSON object, is told by its name.
 */
import type { JsonObject, JsonValue } from "../json/values.ts";
import { canonicalArguments } from "../tito/canonical-arguments.ts";
import { messageMatchers } from "./message-matcher.ts";

export function matchesReplayedReply(stored: JsonObject, replayed: JsonObject): boolean {
  if (messageMatchers.loose_tool_call(stored, replayed)) return true;
  if (stored.get("role") !== "assistant" || replayed.get("role") !== "assistant") return false;
  const content = trimmedText(stored, "content");
  const reasoning = trimmedText(replayed, "reasoning_content");
  return (
    content !== null &&
    content === trimmedText(replayed, "content") &&
    (reasoning === "" || reasoning === trimmedText(stored, "reasoning_content")) &&
    sameCalls(callsOf(stored), callsOf(replayed))
  );
}

/** Null for a value that is no text. */
function trimmedText(message: JsonObject, name: string): string | null {
  const value = message.get(name) ?? "";
  if (Array.isArray(value) && value.length === 0) return "";
  return typeof value === "string" ? value.trim() : null;
}

function callsOf(message: JsonObject): readonly JsonValue[] {
  const calls = message.get("tool_calls");
  return Array.isArray(calls) ? calls : [];
}

function sameCalls(stored: readonly JsonValue[], replayed: readonly JsonValue[]): boolean {
  if (stored.length !== replayed.length) return false;
  return stored.every((call, index) => sameCall(call, replayed[index] ?? null));
}

function sameCall(stored: JsonValue, replayed: JsonValue): boolean {
  if (!(stored instanceof Map && replayed instanceof Map)) return false;
  const id = stored.get("id") || null;
  if (id !== null && id !== (replayed.get("id") ?? null)) return false;
  const called = stored.get("function");
  const again = replayed.get("function");
  if (!(called instanceof Map && again instanceof Map)) return false;
  if (called.get("name") !== again.get("name")) return false;
  return sameArguments(called.get("arguments") ?? null, again.get("arguments") ?? null);
}

function sameArguments(stored: JsonValue, replayed: JsonValue): boolean {
  const canonical = canonicalArguments(stored);
  if (canonical === null) return true;
  return (
    canonical === canonicalArguments(replayed) ||
    throughDoubles(stored) === throughDoubles(replayed)
  );
}

/** Arguments as a client leaves them whose numbers are doubles; the text itself when it is none. */
function throughDoubles(value: JsonValue): string | null {
  if (typeof value !== "string") return canonicalArguments(value);
  try {
    return canonicalArguments(JSON.stringify(JSON.parse(value)));
  } catch {
    return value;
  }
}
