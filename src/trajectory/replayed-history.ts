// spec: docs/clients.md, "What a client sends back"
/**
 * How a request continues a trajectory when its client writes the history anew.
 *
 * Besides the spelling of a reply, such clients change its place: they send one reply as several
 * messages, put each call beside its own result, give calls other ids, and leave out a reply that
 * said nothing.
 *
 * Contract   messages that together are a stored reply become one, with the results that stand
 *            between them after it; results that are appended answer the stored ids. A request that
 *            goes on after a generated reply without having it as stored is refused: it is no
 *            retry, and to take it for one would lose the turn without a word.
 * Reports    InvalidRequestError, also of LinearTrajectory.plan().
 * Not here   chat, where the configured matcher alone decides.
 */
import { InvalidRequestError } from "../errors.ts";
import type { JsonObject, JsonValue } from "../json/values.ts";
import type { LinearTrajectory, TurnPlan } from "./linear-trajectory.ts";
import { callsOf, isReply, matchesReplayedReply, pairedCalls } from "./replayed-reply.ts";

/** @param appendableRoles roles that the family can append to a generated turn */
export function planReplay(
  trajectory: LinearTrajectory,
  request: readonly JsonObject[],
  appendableRoles: ReadonlySet<string>,
): TurnPlan {
  const recognised = recognisedMessages(trajectory.messages, request);
  const plan = trajectory.plan(recognised, matchesReplayedReply, appendableRoles);
  requireReplies(trajectory, plan, recognised);
  return plan;
}

/** The request with its replies where the stored history has them. */
export function recognisedMessages(
  stored: readonly JsonObject[],
  request: readonly JsonObject[],
): readonly JsonObject[] {
  let messages = request;
  const storedIds = new Map<JsonValue, JsonValue>();
  for (const [index, own] of stored.entries()) {
    const again = messages[index];
    if (own === again) continue;
    if (again === undefined) break;
    if (!matchesReplayedReply(own, again)) {
      const gathered = withEmptyReply(own, messages, index) ?? gatheredReply(own, messages, index);
      if (gathered === null) break;
      messages = gathered;
    }
    const following = stored[index + 1];
    if (following === undefined || !isReply(following)) {
      messages = withoutRest(own, messages, index);
    }
    noteIds(own, messages[index] ?? again, storedIds);
  }
  return storedIds.size === 0
    ? messages
    : messages.map((one, index) => (index < stored.length ? one : withStoredId(one, storedIds)));
}

/** A reply that said nothing, which clients leave out; null when it is not that. */
function withEmptyReply(
  stored: JsonObject,
  messages: readonly JsonObject[],
  index: number,
): readonly JsonObject[] | null {
  const next = messages[index];
  if (next === undefined || isReply(next) || !saysNothing(stored)) return null;
  return [...messages.slice(0, index), stored, ...messages.slice(index)];
}

function saysNothing(message: JsonObject): boolean {
  return (
    isReply(message) &&
    textMember(message, "content").trim() === "" &&
    callsOf(message).length === 0
  );
}

/** Null when the messages from `index` on do not begin with the pieces of the stored reply. */
function gatheredReply(
  stored: JsonObject,
  messages: readonly JsonObject[],
  index: number,
): readonly JsonObject[] | null {
  let whole = messages[index];
  if (whole === undefined || !isReply(stored) || !isReply(whole)) return null;
  const results: JsonObject[] = [];
  const callCount = callsOf(stored).length;
  for (const [offset, message] of messages.slice(index + 1).entries()) {
    if (message.get("role") === "tool") results.push(message);
    else if (isReply(message)) {
      whole = joinedReply(whole, message);
      if (callsOf(whole).length > callCount) return null;
      if (matchesReplayedReply(stored, whole)) {
        const rest = messages.slice(index + offset + 2);
        return [...messages.slice(0, index), whole, ...results, ...rest];
      }
    } else return null;
  }
  return null;
}

/** Without the pieces that directly follow a reply which was recognised without them. */
function withoutRest(
  stored: JsonObject,
  messages: readonly JsonObject[],
  index: number,
): readonly JsonObject[] {
  const [first, next] = messages.slice(index, index + 2);
  if (first === undefined || next === undefined || !isReply(first) || !isReply(next)) {
    return messages;
  }
  const whole = joinedReply(first, next);
  if (!matchesReplayedReply(stored, whole)) return messages;
  const shorter = [...messages.slice(0, index), whole, ...messages.slice(index + 2)];
  return withoutRest(stored, shorter, index);
}

function joinedReply(first: JsonObject, second: JsonObject): JsonObject {
  const joined = new Map(first);
  for (const name of ["content", "reasoning_content"]) {
    const text = textMember(first, name) + textMember(second, name);
    if (text !== "") joined.set(name, text);
  }
  const calls = [...callsOf(first), ...callsOf(second)];
  if (calls.length > 0) joined.set("tool_calls", calls);
  return joined;
}

function textMember(message: JsonObject, name: string): string {
  const value = message.get(name);
  return typeof value === "string" ? value : "";
}

/** Ids that the client gave the calls of a reply, with those that are stored. */
function noteIds(
  stored: JsonObject,
  replayed: JsonObject,
  storedIds: Map<JsonValue, JsonValue>,
): void {
  if (callsOf(stored).length === 0) return;
  for (const pair of pairedCalls(stored, replayed) ?? []) {
    const own = pair.stored.get("id") || null;
    const given = pair.replayed.get("id") ?? null;
    if (own !== null && given !== null && own !== given) storedIds.set(given, own);
  }
}

function withStoredId(message: JsonObject, storedIds: ReadonlyMap<JsonValue, JsonValue>) {
  const own = storedIds.get(message.get("tool_call_id") ?? null);
  return own === undefined ? message : new Map(message).set("tool_call_id", own);
}

/** A retry ends before the reply that it takes back. */
function requireReplies(
  trajectory: LinearTrajectory,
  { checkpointCount }: TurnPlan,
  request: readonly JsonObject[],
): void {
  if (checkpointCount === trajectory.tokens.checkpointCount) return;
  const replyIndex = trajectory.messagesThrough(checkpointCount).length - 1;
  if (!request.slice(replyIndex).some(isReply)) return;
  const index = trajectory.messages.findIndex((stored, place) => {
    const replayed = request[place];
    return replayed === undefined || !matchesReplayedReply(stored, replayed);
  });
  const role = request[index]?.get("role");
  throw new InvalidRequestError(
    `the request goes on after a reply of this session, but its message at index ${index} ` +
      `(role '${role}') is not the one that the session holds: a session only appends`,
  );
}
