// spec: ARCHITECTURE.md, "A turn"
/**
 * The last phase of a turn: whether it may be stored, and how.
 *
 * Contract   the caller holds the session's lock. Trajectory, records and facts change together or
 *            not at all. What a session loses or does not show is told to its log line: a turn that
 *            is taken back by a request that is no retry of it, and tools that the prompt lacks.
 *            What a session keeps is its own copy: a slice would keep the whole request or reply.
 */
import { assert } from "../assert.ts";
import type { ScannedDocument } from "../json/span-scanner.ts";
import type { PayloadIngest } from "../records/record-store.ts";
import type { HistoryRewrite } from "../trajectory/history-rewrite.ts";
import type { TurnPlan } from "../trajectory/linear-trajectory.ts";
import { ownText } from "../trajectory/own-copy.ts";
import type { TurnFacts } from "../trajectory/turn-facts.ts";
import type { ChatReply } from "./chat-reply.ts";
import { describeToolsChange, ownToolsChange, toolsChange } from "./tools-change.ts";
import type { TurnAttempt } from "./turn-attempt.ts";
import type { PreparedTurn } from "./turn-preparation.ts";

/** Why the turn may not be stored any more; null when it may. */
export function obstacleToStoring(attempt: TurnAttempt, plan: TurnPlan): string | null {
  const { session } = attempt;
  if (session.closing) return "the session was deleted during the turn";
  if (session.trajectory.revision === plan.revision) return null;
  return repeatsLatest(attempt, plan) ? null : "the session advanced during the turn";
}

/** The client goes on with a reply that the session does not have. */
export function noteNotStored({ session, operationLog }: TurnAttempt, obstacle: string): void {
  session.turnsNotStored += 1;
  operationLog.notStored(obstacle);
}

/** A client that gave up on an attempt goes on with the reply to its next one. */
function repeatsLatest(attempt: TurnAttempt, plan: TurnPlan): boolean {
  const { trajectory, turns } = attempt.session;
  const latest = turns.at(-1);
  if (latest === undefined || !trajectory.canReplaceLatest(plan)) return false;
  return latest.fingerprint === attempt.fingerprint && latest.order < attempt.order;
}

export interface ReceivedTurn {
  readonly reply: ChatReply;
  readonly scanned: ScannedDocument;
  readonly ingest: PayloadIngest;
}

export function storeTurn(
  attempt: TurnAttempt,
  prepared: PreparedTurn,
  { reply, scanned, ingest }: ReceivedTurn,
): void {
  const { plan, dropLast, addedTokens, promptTokens, request, upstreamBody } = prepared;
  const { session, turnId, operation, order, fingerprint, startedMs } = attempt;
  const endedMs = Date.now();
  // What can fail comes first: trajectory and records change together or not at all.
  ingest.prepare({
    timestamp: endedMs / 1000,
    requestTimestamp: startedMs / 1000,
    method: operation.method,
    path: "/v1/chat/completions",
    request: upstreamBody.parts,
    response: scanned,
    statusCode: 200,
  });
  const isOnLatest = session.trajectory.revision === plan.revision;
  session.trajectory.commit(plan, {
    dropLast,
    tokens: [...addedTokens, ...reply.completionTokens],
    assistantMessage: reply.assistantMessage,
    tools: { text: request.toolsText, value: request.tools },
    messagesText: request.messagesText,
    matchedSegments: prepared.matchedSegments,
  });
  session.records.rollback(plan.checkpointCount);
  ingest.commit();
  noteTakenBack(attempt, isOnLatest ? plan.rewrite : null, session.turns[plan.checkpointCount]);
  noteTools(attempt, prepared);
  const finishReason = reply.choice.get("finish_reason");
  session.turns.length = plan.checkpointCount;
  session.turns.push({
    id: turnId,
    order,
    fingerprint,
    kind: operation.kind,
    promptTokens,
    completionTokens: reply.completionTokens.length,
    finishReason: typeof finishReason === "string" ? ownText(finishReason) : null,
    startedMs,
    durationMs: endedMs - startedMs,
  });
  session.isFull = false;
  const turnCount = session.turns.length;
  assert(session.records.recordCount === turnCount, "a session has one record a turn");
  assert(session.trajectory.tokens.checkpointCount === turnCount, "and one checkpoint a turn");
}

/**
 * @param rewrite null for a retry, which an attempt that replaces an earlier one is as well
 * @param turn that is taken back; undefined when none is
 */
function noteTakenBack(
  { session, operationLog }: TurnAttempt,
  rewrite: HistoryRewrite | null,
  turn: TurnFacts | undefined,
): void {
  if (turn === undefined) return;
  session.turnsTakenBack += 1;
  if (rewrite === null) {
    operationLog.retried(turn.id);
    return;
  }
  session.turnsRewritten += 1;
  session.lastRewrite = ownText(rewrite.reason);
  const { index, member, reason } = rewrite;
  operationLog.warn("took back a turn of which the request is no retry", {
    turn: turn.id,
    index,
    member,
    reason,
  });
}

/** Once a session: its agent goes on with the tools that it has. */
function noteTools({ session, operationLog }: TurnAttempt, { plan, request }: PreparedTurn): void {
  const shown = session.trajectory.firstTools;
  if (plan.checkpointCount === 0 || shown.text === request.toolsText) return;
  const change = toolsChange(shown.value, request.tools);
  if (change === null) return;
  if (session.toolsChange === null) {
    operationLog.warn("has other tools than the prompt of its session", {
      tools: describeToolsChange(change),
    });
  }
  session.toolsChange = ownToolsChange(change);
}
