/**
 * The history of one session: messages, checkpoints, and how a new request continues them.
 *
 * A request replays the history and appends to it. Where it leaves the stored history before its
 * end, the agent is retrying: the turns after the last checkpoint inside the common part are taken
 * back, at most rollbackTurnsMax of them, down to the empty session.
 *
 * Contract   `plan` changes nothing; `commit` applies a plan that still fits, told by `revision`.
 *            The stored spelling of the common part wins over the replayed one, for the tokens and
 *            for what is stored. Only replies generated here are checkpoints: an assistant message
 *            that the client brought is plain history.
 * Reports    InvalidRequestError when the history cannot be continued.
 * Not here   tokens of the appended messages (tito/), locking (session-lock.ts).
 */
import { InvalidRequestError } from "../errors.ts";
import type { KnownItems } from "../json/known-items.ts";
import type { JsonObject, JsonValue } from "../json/values.ts";
import { rollbackTurnsMax } from "../limits.ts";
import { type HistoryRewrite, historyRewrite } from "./history-rewrite.ts";
import type { MessageMatcher } from "./message-matcher.ts";
import { ownMessage, ownText, ownValue } from "./own-copy.ts";
import { ReplayedMessages } from "./replayed-messages.ts";
import { TokenHistory } from "./token-history.ts";

/**
 * How a request continues a trajectory; valid while the trajectory's revision is `revision`, or for
 * as long as `canReplaceLatest` says so.
 */
export interface TurnPlan {
  readonly revision: number;
  /** Checkpoints that stay; those after it are taken back at commit. */
  readonly checkpointCount: number;
  /** Revision that the last of those was committed as; 0 when there is none. */
  readonly baseRevision: number;
  /** Stored messages that the request builds on. */
  readonly history: readonly JsonObject[];
  /** Messages of the request after them; on an empty history, all of them. */
  readonly appended: readonly JsonObject[];
  /** Last token id of the history; undefined when there is none. */
  readonly lastToken: number | undefined;
  /** What a request has otherwise that takes a turn back; null for a retry, and without one. */
  readonly rewrite: HistoryRewrite | null;
}

export interface GeneratedTurn {
  /** Ids that the prompt leaves out at the end of the history. */
  readonly dropLast: number;
  /** Ids after them: the appended messages and the generation prompt, then the completion. */
  readonly tokens: readonly number[];
  readonly assistantMessage: JsonObject;
  /** The tools of the request, for the report of mismatches. */
  readonly tools: RequestTools;
  /** The request's array of messages as written, from behind the matched segments on. */
  readonly messagesText: string;
  /** Leading segments of the known messages' text that it repeats. */
  readonly matchedSegments: number;
}

export interface RequestTools {
  /** As written; empty when absent. */
  readonly text: string;
  readonly value: JsonValue;
}

interface Checkpoint {
  /** Of the trajectory after the commit: no other checkpoint ever has the same. */
  readonly revision: number;
  /** Messages up to and including the generated one. */
  readonly messageEnd: number;
  readonly tools: RequestTools;
}

export class LinearTrajectory {
  readonly tokens: TokenHistory;
  #messages: JsonObject[] = [];
  readonly #checkpoints: Checkpoint[] = [];
  readonly #replayed = new ReplayedMessages();
  #revision = 0;

  constructor(maxTrimTokens: number) {
    this.tokens = new TokenHistory(maxTrimTokens);
  }

  get messages(): readonly JsonObject[] {
    return this.#messages;
  }

  /** Grows with every commit: a plan of an older revision no longer fits. */
  get revision(): number {
    return this.#revision;
  }

  /** Tools of the latest turn's request; null before the first turn. */
  get latestTools(): JsonValue {
    return this.#checkpoints.at(-1)?.tools.value ?? null;
  }

  /** Tools of the first turn's request, which are those in the prompt of every turn. */
  get firstTools(): RequestTools {
    return this.#checkpoints[0]?.tools ?? { text: "", value: null };
  }

  /** Messages up to and including the reply of the generated turn at `turnIndex`. */
  messagesThrough(turnIndex: number): readonly JsonObject[] {
    return this.#messages.slice(0, this.#checkpoints[turnIndex]?.messageEnd ?? 0);
  }

  /** What the messages of the next request probably start with; valid until the next commit. */
  knownMessages(): KnownItems {
    return this.#replayed.known(this.#messages);
  }

  /** @param appendableRoles roles that the family can append to a generated turn */
  plan(
    request: readonly JsonObject[],
    matches: MessageMatcher,
    appendableRoles: ReadonlySet<string>,
  ): TurnPlan {
    const matched = commonPrefix(this.#messages, request, matches);
    const checkpointCount = this.#checkpointToBuildOn(request, matched);
    const messageEnd = this.#checkpoints[checkpointCount - 1]?.messageEnd ?? 0;
    if (checkpointCount > 0) requireAppendable(request, messageEnd, appendableRoles);
    return {
      revision: this.#revision,
      checkpointCount,
      baseRevision: this.#revisionAt(checkpointCount),
      history: this.#messages.slice(0, messageEnd),
      appended: request.slice(messageEnd),
      lastToken: this.tokens.view(checkpointCount).lastToken,
      rewrite: this.#rewrite(checkpointCount, request, matched),
    };
  }

  commit(plan: TurnPlan, turn: GeneratedTurn): void {
    // Copies and ids first, which can run out of memory: what follows only assigns.
    const tools = this.#storedTools(turn.tools);
    const request = [...plan.history, ...plan.appended.map(ownMessage)];
    const messages = [...request, ownMessage(turn.assistantMessage)];
    this.tokens.commit(plan.checkpointCount, turn.dropLast, turn.tokens);
    this.#replayed.commit(turn.messagesText, turn.matchedSegments, request.length);
    this.#messages = messages;
    this.#checkpoints.length = plan.checkpointCount;
    this.#revision += 1;
    const revision = this.#revision;
    this.#checkpoints.push({ revision, messageEnd: this.#messages.length, tools });
  }

  /** Whether all that happened since `plan` was made is one turn more on the same base. */
  canReplaceLatest(plan: TurnPlan): boolean {
    const { checkpointCount, baseRevision } = plan;
    return (
      this.#checkpoints.length === checkpointCount + 1 &&
      this.#revisionAt(checkpointCount) === baseRevision
    );
  }

  #revisionAt(checkpointCount: number): number {
    return this.#checkpoints[checkpointCount - 1]?.revision ?? 0;
  }

  /** Most turns of a session repeat their tools: they are kept once. */
  #storedTools(tools: RequestTools): RequestTools {
    const latest = this.#checkpoints.at(-1)?.tools;
    if (latest?.text === tools.text) return latest;
    return { text: ownText(tools.text), value: ownValue(tools.value) };
  }

  /** Of the first turn that is taken back. */
  #rewrite(
    checkpointCount: number,
    request: readonly JsonObject[],
    matched: number,
  ): HistoryRewrite | null {
    const replyIndex = (this.#checkpoints[checkpointCount]?.messageEnd ?? 0) - 1;
    const reply = this.#messages[replyIndex];
    if (reply === undefined) return null;
    return historyRewrite(this.#messages.slice(0, replyIndex), reply, request, matched);
  }

  #checkpointToBuildOn(request: readonly JsonObject[], matched: number): number {
    const stored = this.#messages;
    if (matched === stored.length) return this.#checkpoints.length;
    const kept = this.#checkpoints.findLastIndex((point) => point.messageEnd <= matched) + 1;
    const discarded = this.#checkpoints.length - kept;
    if (discarded > rollbackTurnsMax) {
      throw new InvalidRequestError(
        `rollback failed: discard_count=${discarded} exceeds ` +
          `max_assistant_rollback_steps=${rollbackTurnsMax} ` +
          `(stored has ${stored.length} messages, request has ${request.length} messages)`,
      );
    }
    return kept;
  }
}

function commonPrefix(
  stored: readonly JsonObject[],
  request: readonly JsonObject[],
  matches: MessageMatcher,
): number {
  const length = Math.min(stored.length, request.length);
  for (let index = 0; index < length; index++) {
    const left = stored[index];
    const right = request[index];
    if (left === right) continue;
    if (!left || !right || !matches(left, right)) return index;
  }
  return length;
}

function requireAppendable(
  request: readonly JsonObject[],
  messageEnd: number,
  appendableRoles: ReadonlySet<string>,
): void {
  for (let index = messageEnd; index < request.length; index++) {
    const role = request[index]?.get("role");
    if (typeof role === "string" && appendableRoles.has(role)) continue;
    const allowed = [...appendableRoles].sort().map((name) => `'${name}'`);
    throw new InvalidRequestError(
      `appended message at index ${index} has role='${role}', allowed=[${allowed.join(", ")}]; ` +
        "the selected TITO fixed template does not support appending this role",
    );
  }
}
