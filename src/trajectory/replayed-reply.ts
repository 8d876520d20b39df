// spec: docs/clients.md, "What a client sends back"
/**
 * Whether a replayed message is the stored one, for clients whose protocol writes replies anew.
 *
 * A reply goes through the client's own types before it comes back: arguments are parsed, repaired
 * and written again, reasoning is signed, summarised or left out, white space is trimmed, empty
 * texts vanish. None of that is an edit.
 *
 * Contract   as `loose_tool_call`, and of a reply: white space around content and reasoning does
 *            not count, and neither does a word for content that is empty; reasoning that does not
 *            come back is the stored one, and so is content beside calls. A call is the stored one
 *            of its name that has its id, whatever arguments it has now, or else its arguments.
 *            Every call comes back, in any order.
 */
import { callsOf } from "../json/chat-message.ts";
import { readableArguments } from "../json/readable-arguments.ts";
import type { JsonObject, JsonValue } from "../json/values.ts";
import { canonicalArguments } from "../tito/canonical-arguments.ts";
import { messageMatchers } from "./message-matcher.ts";

/** What Claude Code sends for a reply without text, since Anthropic's API takes no empty text. */
export const noContent = "(no content)";

export function matchesReplayedReply(stored: JsonObject, replayed: JsonObject): boolean {
  if (messageMatchers.loose_tool_call(stored, replayed)) return true;
  if (!isReply(stored) || !isReply(replayed)) return false;
  const calls = callsOf(stored);
  const reasoning = trimmedText(replayed, "reasoning_content");
  return (
    sameContent(trimmedText(stored, "content"), trimmedText(replayed, "content"), calls.length) &&
    (reasoning === "" || reasoning === trimmedText(stored, "reasoning_content")) &&
    pairedCalls(stored, replayed) !== null
  );
}

/** A message of the assistant. */
export function isReply(message: JsonObject): boolean {
  return message.get("role") === "assistant";
}

export interface CallPair {
  readonly stored: JsonObject;
  readonly replayed: JsonObject;
}

/** The calls of a stored reply, each with the one that came back; null when they are not those. */
export function pairedCalls(stored: JsonObject, replayed: JsonObject): readonly CallPair[] | null {
  const calls = callsOf(stored);
  const unpaired = [...callsOf(replayed)];
  if (calls.length !== unpaired.length) return null;
  const pairs = new Map<JsonObject, CallPair>();
  // By id first: of two calls that say the same, each has its own result.
  for (const isSame of [hasItsId, hasItsArguments]) {
    for (const call of calls) {
      if (pairs.has(call)) continue;
      const index = unpaired.findIndex((other) => sameName(call, other) && isSame(call, other));
      const [found] = index < 0 ? [] : unpaired.splice(index, 1);
      if (found !== undefined) pairs.set(call, { stored: call, replayed: found });
    }
  }
  return pairs.size === calls.length ? [...pairs.values()] : null;
}

/** Null for a value that is no text. */
function trimmedText(message: JsonObject, name: string): string | null {
  const value = message.get(name) ?? "";
  if (Array.isArray(value) && value.length === 0) return "";
  return typeof value === "string" ? value.trim() : null;
}

function sameContent(stored: string | null, replayed: string | null, callCount: number): boolean {
  if (stored === null || replayed === null) return false;
  if (stored === replayed) return true;
  if (stored === "") return replayed === noContent;
  return replayed === "" && callCount > 0;
}

function sameName(stored: JsonObject, replayed: JsonObject): boolean {
  const name = functionMember(stored, "name");
  return name !== null && name === functionMember(replayed, "name");
}

function hasItsId(stored: JsonObject, replayed: JsonObject): boolean {
  const id = stored.get("id") || null;
  return id !== null && id === (replayed.get("id") ?? null);
}

function hasItsArguments(stored: JsonObject, replayed: JsonObject): boolean {
  const called = functionMember(stored, "arguments");
  const again = functionMember(replayed, "arguments");
  const canonical = canonicalArguments(called);
  const canonicalAgain = canonicalArguments(again);
  if (called === again || (canonical !== null && canonical === canonicalAgain)) return true;
  // What no client can read was answered as arguments that are empty.
  if (readableArguments(called) === null) return canonicalAgain === "{}";
  const own = throughDoubles(called);
  return own !== null && own === throughDoubles(again);
}

function functionMember(call: JsonObject, name: string): JsonValue {
  const called = call.get("function");
  return called instanceof Map ? (called.get(name) ?? null) : null;
}

/** Arguments as a client leaves them whose numbers are doubles; the text itself when it is none. */
function throughDoubles(value: JsonValue): string | null {
  if (typeof value !== "string") return canonicalArguments(value);
  try {
    const text = JSON.stringify(JSON.parse(value));
    return canonicalArguments(text) ?? text;
  } catch {
    return value;
  }
}
