/**
 * One turn of a session: prepare, ask the backend, store. The client's protocol is a parameter; all
 * of them make the same tokens and the same records.
 *
 * Contract   the session's lock is held while the request is prepared and while the turn is stored,
 *            not while the model thinks: a delete or another turn need not wait for it. A turn is
 *            stored only on the state that it was prepared on; if the session advanced or was
 *            deleted meanwhile, the client gets its reply and nothing is stored. Of two attempts at
 *            one request that overlap, the one that began later is what the client goes on with,
 *            so it stays, whichever ends first. A turn that fails, wherever it does, leaves the
 *            session as it was, retries included: what a retry takes back is taken back only when
 *            its own reply is stored.
 * Reports    SessionNotFoundError, InvalidRequestError, UpstreamError, UpstreamAbortedError; a
 *            backend's own error goes to the client as it came, in the words of its protocol.
 */
import { assert } from "../assert.ts";
import { freeBytes } from "../bytes.ts";
import { UpstreamError } from "../errors.ts";
import { SpanSyntaxError } from "../json/span-error.ts";
import { type ScannedDocument, SpanScanner } from "../json/span-scanner.ts";
import { jsonTextReply, type Reply, type TurnOperation } from "../operation.ts";
import type { TurnAnswer, TurnProtocol } from "../protocols/turn-protocol.ts";
import { randomId } from "../random-id.ts";
import type { PayloadIngest } from "../records/record-store.ts";
import type { TurnPlan } from "../trajectory/linear-trajectory.ts";
import type { Session } from "../trajectory/session.ts";
import type { Upstream, UpstreamReply } from "../upstream/upstream-client.ts";
import { refusalInProtocol } from "./backend-refusal.ts";
import { type ChatReply, parseChatReply } from "./chat-reply.ts";
import type { ReplayFlags } from "./chat-request.ts";
import { fullSessionCompletion } from "./full-session.ts";
import type { OperationLog } from "./operation-log.ts";
import { passThrough } from "./pass-through.ts";
import { requireReplayPayloads } from "./replay-payloads.ts";
import { withRoutingKey } from "./routing-key.ts";
import {
  type FullTurn,
  type PreparationRules,
  type PreparedTurn,
  prepareTurn,
  type ReadTurn,
} from "./turn-preparation.ts";

export interface TurnDependencies extends PreparationRules {
  readonly upstream: Upstream;
}

/** What a client asks for, without the request's body: that is let go once it is read. */
export interface AskedTurn {
  readonly session: Session;
  readonly operation: TurnOperation;
  readonly protocol: TurnProtocol;
  /** The same for the same request. */
  readonly fingerprint: string;
  readonly operationLog: OperationLog;
}

/** One attempt at a turn: a client that repeats itself begins another. */
interface TurnAttempt extends AskedTurn {
  /** 32 hex digits. */
  readonly turnId: string;
  /** Counts the turns that were begun in the session. */
  readonly order: number;
  /** Milliseconds since 1970, when the request arrived. */
  readonly startedMs: number;
}

/** @param body as the protocol has it */
export async function runTurn(
  asked: AskedTurn,
  body: Uint8Array,
  dependencies: TurnDependencies,
): Promise<Reply> {
  const { session, operation, protocol, operationLog } = asked;
  session.turnsBegun += 1;
  session.turnsInFlight += 1;
  const attempt: TurnAttempt = {
    ...asked,
    turnId: randomId(),
    order: session.turnsBegun,
    startedMs: Date.now(),
  };
  try {
    operationLog.enter("prepare");
    const prepared = await session.lock.run(async () => {
      session.requireOpen();
      const read = await prepareTurn(session, protocol, body, dependencies);
      if (read.kind === "full") session.isFull = true;
      return read;
    });
    if (prepared.kind === "full") return fullSessionReply(attempt, prepared);
    operationLog.enter("ask");
    const upstreamReply = await ask(attempt, prepared, dependencies.upstream);
    if (upstreamReply.status === 200) {
      return await receiveAndStore(attempt, prepared, upstreamReply, dependencies.replay);
    }
    if (!protocol.isTranslation) return await passThrough(upstreamReply);
    return await refusalInProtocol(operation, upstreamReply);
  } finally {
    session.turnsInFlight -= 1;
  }
}

function ask(
  { session, operation, protocol }: TurnAttempt,
  prepared: PreparedTurn,
  upstream: Upstream,
): Promise<UpstreamReply> {
  return upstream.send({
    method: operation.method,
    path: "v1/chat/completions",
    // Of another protocol, the query says nothing to the backend.
    query: protocol.isTranslation ? "" : operation.query,
    headers: withRoutingKey(operation.headers, session.id),
    body: prepared.upstreamBody.bytes,
  });
}

async function receiveAndStore(
  attempt: TurnAttempt,
  prepared: PreparedTurn,
  upstreamReply: UpstreamReply,
  replay: ReplayFlags,
): Promise<Reply> {
  const { session, operationLog } = attempt;
  operationLog.enter("receive");
  const ingest = session.records.beginPayloads();
  try {
    const scanned = await receive(upstreamReply, ingest);
    const reply = parseChatReply(scanned.skeleton);
    requireReplayPayloads(scanned.members, replay);
    const { status, headers } = upstreamReply;
    const answer = prepared.render({
      ...answerTo(attempt, prepared),
      ...reply,
      completionTokens: reply.completionTokens.length,
      received: { status, headers, body: scanned.skeleton },
    });
    operationLog.enter("store");
    await session.lock.run(() => {
      const obstacle = obstacleToStoring(attempt, prepared.plan);
      if (obstacle === null) store(attempt, prepared, { reply, scanned, ingest });
      else operationLog.notStored(obstacle);
    });
    return answer;
  } finally {
    ingest.discard();
  }
}

function fullSessionReply(attempt: TurnAttempt, full: FullTurn): Reply {
  const completion = fullSessionCompletion(attempt.turnId, full.request.model, full.promptTokens);
  return full.render({
    ...answerTo(attempt, full),
    ...completion,
    completionTokens: 0,
    received: jsonTextReply(200, completion.text),
  });
}

function answerTo(
  { turnId }: TurnAttempt,
  { request, promptTokens }: ReadTurn & { readonly promptTokens: number },
): Pick<TurnAnswer, "turnId" | "stream" | "logprobs" | "promptTokens"> {
  return { turnId, stream: request.stream, logprobs: request.logprobs, promptTokens };
}

/** Reads the reply to its end: replay payloads go to the store, the rest is returned. */
async function receive(reply: UpstreamReply, ingest: PayloadIngest): Promise<ScannedDocument> {
  const scanner = new SpanScanner(ingest.sink);
  try {
    for await (const chunk of reply.body) {
      scanner.push(chunk);
      freeBytes(chunk);
    }
    return scanner.finish();
  } catch (error) {
    throw error instanceof SpanSyntaxError ? notJson(error) : error;
  }
}

function notJson(error: SpanSyntaxError): UpstreamError {
  return new UpstreamError(`invalid chat completion response: ${error.message}`, { cause: error });
}

/** Why the turn may not be stored any more; null when it may. */
function obstacleToStoring(attempt: TurnAttempt, plan: TurnPlan): string | null {
  const { session } = attempt;
  if (session.closing) return "the session was deleted during the turn";
  if (session.trajectory.revision === plan.revision) return null;
  return repeatsLatest(attempt, plan) ? null : "the session advanced during the turn";
}

/** A client that gave up on an attempt goes on with the reply to its next one. */
function repeatsLatest(attempt: TurnAttempt, plan: TurnPlan): boolean {
  const { trajectory, turns } = attempt.session;
  const latest = turns.at(-1);
  if (latest === undefined || !trajectory.canReplaceLatest(plan)) return false;
  return latest.fingerprint === attempt.fingerprint && latest.order < attempt.order;
}

interface ReceivedTurn {
  readonly reply: ChatReply;
  readonly scanned: ScannedDocument;
  readonly ingest: PayloadIngest;
}

function store(
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
  const finishReason = reply.choice.get("finish_reason");
  session.turns.length = plan.checkpointCount;
  session.turns.push({
    id: turnId,
    order,
    fingerprint,
    kind: operation.kind,
    promptTokens,
    completionTokens: reply.completionTokens.length,
    finishReason: typeof finishReason === "string" ? finishReason : null,
    startedMs,
    durationMs: endedMs - startedMs,
  });
  session.isFull = false;
  const turnCount = session.turns.length;
  assert(session.records.recordCount === turnCount, "a session has one record a turn");
  assert(session.trajectory.tokens.checkpointCount === turnCount, "and one checkpoint a turn");
}
