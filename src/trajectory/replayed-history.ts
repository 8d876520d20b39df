// spec: docs/clients.md, "What a client sends back"
/**
 * How a request continues a trajectory when its client writes the history anew.
 *
 * Besides the spelling of a reply, such clients change its place: they send one reply as several
 * messages, put each call beside its own result, give calls other ids, and leave out a reply that
 * said nothing.
 *
 * Contract   messages that together are a stored reply become one, with the results that stand
 *            between them after it; results answer the stored ids. A request that goes on after a
 *            generated reply without having it as stored is refused: it is no retry, and to take it
 *            for one would lose the turn without a word.
 * Reports    InvalidRequestError, also of LinearTrajectory.plan().
 * Not here   chat, where the configured matcher alone decides.
 */
import { InvalidRequestError } from "../errors.ts";
import { callsOf, textMember } from "../json/chat-message.ts";
import type { JsonObject, JsonValue } from "../json/values.ts";
import type { LinearTrajectory, TurnPlan } from "./linear-trajectory.ts";
import { isReply, matchesReplayedReply, pairedCalls } from "./replayed-reply.ts";
import { ReplyPieces } from "./reply-pieces.ts";

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
  const recognised: JsonObject[] = [];
  const rest = new RestOfRequest(request);
  for (const [index, own] of stored.entries()) {
    const message = rest.take(own, stored[index + 1]);
    if (message === null) break;
    recognised.push(message);
  }
  const messages = [...recognised, ...rest.messages()];
  return withStoredIds(stored, messages, recognised.length);
}

/** Messages of a request that no stored message was found in so far. */
class RestOfRequest {
  /** The next one is the last. */
  readonly #reversed: JsonObject[];

  constructor(request: readonly JsonObject[]) {
    this.#reversed = request.toReversed();
  }

  messages(): readonly JsonObject[] {
    return this.#reversed.toReversed();
  }

  /**
   * The stored message as the request has it, where it comes next; else null. A reply that said
   * nothing is there also where the client left it out.
   */
  take(stored: JsonObject, following: JsonObject | undefined): JsonObject | null {
    const next = this.#reversed.at(-1);
    if (next === undefined) return null;
    let found: JsonObject | null = next;
    if (next === stored || matchesReplayedReply(stored, next)) this.#reversed.pop();
    else if (!isReply(stored)) return null;
    else if (isReply(next)) found = this.#takePieces(stored, next);
    else found = isSilent(stored) ? stored : null;
    const isReplyNext = following !== undefined && isReply(following);
    if (found === null || next === stored || isReplyNext) return found;
    return this.#withLatePieces(stored, found);
  }

  /** The results that stand between the pieces come next. */
  #takePieces(stored: JsonObject, first: JsonObject): JsonObject | null {
    const pieces = new ReplyPieces(stored, first);
    const results: JsonObject[] = [];
    for (let index = this.#reversed.length - 2; index >= 0; index--) {
      const message = this.#reversed[index];
      if (message === undefined) break;
      if (message.get("role") === "tool") results.push(message);
      else if (isReply(message)) {
        pieces.add(message);
        if (pieces.isTooMuch) return null;
        const whole = ReplyPieces.isBlank(message) ? null : pieces.whole();
        if (whole === null) continue;
        this.#reversed.length = index;
        for (const result of results.reverse()) this.#reversed.push(result);
        return whole;
      } else return null;
    }
    return null;
  }

  /** With the pieces that directly follow a reply which was recognised without them. */
  #withLatePieces(stored: JsonObject, reply: JsonObject): JsonObject {
    let next = this.#reversed.at(-1);
    if (!isReply(reply) || next === undefined || !isReply(next)) return reply;
    const pieces = new ReplyPieces(stored, reply);
    let whole = reply;
    while (next !== undefined && isReply(next)) {
      if (!ReplyPieces.isBlank(next)) {
        pieces.add(next);
        const longer = pieces.whole();
        if (longer === null) return whole;
        whole = longer;
      }
      this.#reversed.pop();
      next = this.#reversed.at(-1);
    }
    return whole;
  }
}

function isSilent(reply: JsonObject): boolean {
  return textMember(reply, "content").trim() === "" && callsOf(reply).length === 0;
}

/**
 * With results that answer the stored ids. An id is of the latest reply before the result: clients
 * that write ids may begin anew with each.
 *
 * @param recognised leading messages that are the stored ones
 */
function withStoredIds(
  stored: readonly JsonObject[],
  messages: readonly JsonObject[],
  recognised: number,
): readonly JsonObject[] {
  let ids: ReadonlyMap<JsonValue, JsonValue> = new Map();
  return messages.map((message, index) => {
    if (callsOf(message).length > 0 && isReply(message)) {
      const own = index < recognised ? stored[index] : undefined;
      ids = own === undefined || own === message ? new Map() : storedIds(own, message);
    }
    const id = message.get("role") === "tool" ? ids.get(message.get("tool_call_id") ?? null) : null;
    return id === undefined || id === null ? message : new Map(message).set("tool_call_id", id);
  });
}

/** Ids of the calls of a reply by those that the client gave them; without those that it kept. */
function storedIds(stored: JsonObject, replayed: JsonObject): ReadonlyMap<JsonValue, JsonValue> {
  const ids = new Map<JsonValue, JsonValue>();
  for (const pair of pairedCalls(stored, replayed) ?? []) {
    const own = pair.stored.get("id") || null;
    const given = pair.replayed.get("id") ?? null;
    if (own !== null && given !== null && own !== given) ids.set(given, own);
  }
  return ids;
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
