// spec: miles, chat_template_utils/message_matcher_hub
/**
 * Whether a replayed message is the stored one: the policies of --session-message-matcher.
 *
 * Agents send the history again with every turn, and their libraries add, drop and respell what no
 * chat template reads. A policy says which differences do not count.
 *
 * Contract   only role, content, reasoning_content and tool_calls are looked at; in the first three
 *            null, absent, "" and [] are one value, as they are for the whole of tool_calls, and
 *            `index` inside a tool call does not count. Equality is Python's (True == 1 == 1.0) but
 *            where a fallback is said to be strict about types. Messages are at most as deep as
 *            limits.ts allows JSON to be, so recursion is bounded.
 *            Unlike in the original, a null inside a tool call where the stored one has no member
 *            is no difference either, at any depth outside of its arguments: SDKs send what their
 *            types declare (OpenAI's for Python has `parsed_arguments`).
 */
import type { MessageMatcherName } from "../config.ts";
import { jsonEqual } from "../json/python-equality.ts";
import { JsonFloat, type JsonObject, type JsonValue } from "../json/values.ts";
import { canonicalArguments } from "../tito/canonical-arguments.ts";

export type MessageMatcher = (stored: JsonObject, replayed: JsonObject) => boolean;

export const messageMatchers: Record<MessageMatcherName, MessageMatcher> = {
  /** All of the relevant members are equal. */
  strict: strictMatch,
  /** As strict, but arguments of tool calls may be the same JSON object spelled differently. */
  loose_tool_call: looseToolCallMatch,
  /** Role and content are equal, whatever the rest. */
  role_content_only: roleContentOnlyMatch,
};

/** The members that are looked at. */
const lookedAt = ["role", "content", "reasoning_content", "tool_calls"] as const;

type MemberName = (typeof lookedAt)[number];

/** The first of them in which two messages differ at all; null when they do in none. */
export function differingMember(stored: JsonObject, replayed: JsonObject): string | null {
  const differs = (name: MemberName): boolean =>
    name === "tool_calls" ? !sameCalls(stored, replayed) : !sameMember(name, stored, replayed);
  return lookedAt.find(differs) ?? null;
}

/** Calls of both without what does not count; arguments that are the same object are equal. */
export function comparedCalls(
  stored: JsonObject,
  replayed: JsonObject,
): [stored: JsonValue, replayed: JsonValue] {
  const own = callsWithoutIndex(stored);
  const strictly = replayedCalls(own, replayed, keptArguments);
  const loosely = replayedCalls(own, replayed, (left, right) =>
    sameArguments(left, right) ? left : right,
  );
  // Where nothing else differs, the spelling of the arguments is the difference.
  return [own, jsonEqual(own, loosely) ? strictly : loosely];
}

/** Set by backends on a tool call, renumbered by clients, read by no template. */
const wireOnlyToolCallKey = "index";

function strictMatch(stored: JsonObject, replayed: JsonObject): boolean {
  return sameTexts(stored, replayed) && sameCalls(stored, replayed);
}

function looseToolCallMatch(stored: JsonObject, replayed: JsonObject): boolean {
  if (!sameTexts(stored, replayed)) return false;
  if (sameCalls(stored, replayed)) return true;
  const own = callsWithoutIndex(stored);
  const other = replayedCalls(own, replayed, keptArguments);
  if (!Array.isArray(own) || !Array.isArray(other)) return identical(own, other);
  return pairwise(own, other, sameToolCall);
}

function roleContentOnlyMatch(stored: JsonObject, replayed: JsonObject): boolean {
  return sameMember("role", stored, replayed) && sameMember("content", stored, replayed);
}

/** A member with the values that templates cannot tell apart as null. */
function memberOf(message: JsonObject, key: string): JsonValue {
  const value = message.get(key) ?? null;
  const isEmpty = value === "" || (Array.isArray(value) && value.length === 0);
  return isEmpty ? null : value;
}

function sameMember(key: string, stored: JsonObject, replayed: JsonObject): boolean {
  return jsonEqual(memberOf(stored, key), memberOf(replayed, key));
}

function sameTexts(stored: JsonObject, replayed: JsonObject): boolean {
  return (
    sameMember("role", stored, replayed) &&
    sameMember("content", stored, replayed) &&
    sameMember("reasoning_content", stored, replayed)
  );
}

function sameCalls(stored: JsonObject, replayed: JsonObject): boolean {
  const own = callsWithoutIndex(stored);
  return jsonEqual(own, replayedCalls(own, replayed, keptArguments));
}

/** What stands for the arguments of a replayed call. */
type ArgumentsRule = (stored: JsonValue, replayed: JsonValue) => JsonValue;

const keptArguments: ArgumentsRule = (_, replayed) => replayed;

function replayedCalls(stored: JsonValue, replayed: JsonObject, rule: ArgumentsRule): JsonValue {
  return withoutAddedNulls(stored, callsWithoutIndex(replayed), rule);
}

function withoutAddedNulls(stored: JsonValue, replayed: JsonValue, rule: ArgumentsRule): JsonValue {
  if (Array.isArray(stored) && Array.isArray(replayed)) {
    return replayed.map((item, index) => withoutAddedNulls(stored[index] ?? null, item, rule));
  }
  if (!(stored instanceof Map && replayed instanceof Map)) return replayed;
  const kept: JsonObject = new Map();
  for (const [name, value] of replayed) {
    const own = stored.get(name);
    if (own === undefined) {
      if (value !== null) kept.set(name, value);
    } else {
      kept.set(name, name === "arguments" ? rule(own, value) : withoutAddedNulls(own, value, rule));
    }
  }
  return kept;
}

function callsWithoutIndex(message: JsonObject): JsonValue {
  const calls = memberOf(message, "tool_calls");
  if (!Array.isArray(calls)) return calls;
  return calls.map((call) => (call instanceof Map ? withoutWireOnlyKey(call) : call));
}

function withoutWireOnlyKey(call: JsonObject): JsonObject {
  if (!call.has(wireOnlyToolCallKey)) return call;
  const kept = new Map(call);
  kept.delete(wireOnlyToolCallKey);
  return kept;
}

function sameToolCall(stored: JsonValue, replayed: JsonValue): boolean {
  if (!(stored instanceof Map) || !(replayed instanceof Map)) return identical(stored, replayed);
  return sameMembers(stored, replayed, (key, left, right) =>
    key === "function" ? sameFunction(left, right) : jsonEqual(left, right),
  );
}

function sameFunction(stored: JsonValue, replayed: JsonValue): boolean {
  if (!(stored instanceof Map) || !(replayed instanceof Map)) return identical(stored, replayed);
  return sameMembers(stored, replayed, (key, left, right) =>
    key === "arguments" ? sameArguments(left, right) : jsonEqual(left, right),
  );
}

function sameArguments(stored: JsonValue, replayed: JsonValue): boolean {
  const storedForm = canonicalArguments(stored);
  const replayedForm = canonicalArguments(replayed);
  if (storedForm === null || replayedForm === null) return identical(stored, replayed);
  return storedForm === replayedForm;
}

/** Equality that is strict about types: true is not 1, and 1 is not 1.0. */
function identical(left: JsonValue, right: JsonValue): boolean {
  if (Array.isArray(left)) return Array.isArray(right) && pairwise(left, right, identical);
  if (left instanceof Map) {
    return right instanceof Map && sameMembers(left, right, (_, a, b) => identical(a, b));
  }
  if (left instanceof JsonFloat) return right instanceof JsonFloat && left.value === right.value;
  return left === right;
}

function pairwise(
  left: readonly JsonValue[],
  right: readonly JsonValue[],
  same: (left: JsonValue, right: JsonValue) => boolean,
): boolean {
  if (left.length !== right.length) return false;
  return left.every((item, index) => same(item, right[index] ?? null));
}

/** Whether both have the same keys, in any order, with members that are the same. */
function sameMembers(
  left: JsonObject,
  right: JsonObject,
  same: (key: string, left: JsonValue, right: JsonValue) => boolean,
): boolean {
  if (left.size !== right.size) return false;
  for (const [key, value] of left) {
    const other = right.get(key);
    if (other === undefined || !same(key, value, other)) return false;
  }
  return true;
}
