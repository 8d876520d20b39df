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
import { freeBytes } from "../bytes.ts";
import { InvalidRequestError, UpstreamError } from "../errors.ts";
import { SpanSyntaxError } from "../json/span-error.ts";
import { type ScannedDocument, SpanScanner } from "../json/span-scanner.ts";
import { jsonTextReply, type Reply } from "../operation.ts";
import type { TurnAnswer } from "../protocols/turn-protocol.ts";
import type { WaitingEvents } from "../protocols/waiting-events.ts";
import type { PayloadIngest } from "../records/record-store.ts";
import type { Session } from "../trajectory/session.ts";
import type { Upstream, UpstreamReply } from "../upstream/upstream-client.ts";
import { refusalInProtocol } from "./backend-refusal.ts";
import { parseChatReply } from "./chat-reply.ts";
import type { ReplayFlags } from "./chat-request.ts";
import type { OnWaiting } from "./early-stream.ts";
import { fullSessionCompletion } from "./full-session.ts";
import { passThrough } from "./pass-through.ts";
import { beginningOfRefusal } from "./refusal-beginning.ts";
import { requireRenderedRoles } from "./rendered-roles.ts";
import { requireReplayPayloads } from "./replay-payloads.ts";
import { withRoutingKey } from "./routing-key.ts";
import type { AskedTurn, TurnAttempt } from "./turn-attempt.ts";
import {
  type FullTurn,
  type PreparationRules,
  type PreparedTurn,
  prepareTurn,
  type ReadTurn,
  requestTokenizer,
} from "./turn-preparation.ts";
import { noteNotStored, obstacleToStoring, storeTurn } from "./turn-storage.ts";

export interface TurnDependencies extends PreparationRules {
  readonly upstream: Upstream;
  /** Milliseconds after which a stream begins without its reply; 0 is never. */
  readonly streamKeepAliveMs: number;
}

/**
 * @param body as the protocol has it
 * @param onWaiting called when the backend is asked, for a client that takes events
 */
export async function runTurn(
  asked: AskedTurn,
  body: Uint8Array,
  dependencies: TurnDependencies,
  onWaiting: OnWaiting,
): Promise<Reply> {
  const { session, operation, protocol, operationLog } = asked;
  session.turnsBegun += 1;
  session.turnsInFlight += 1;
  const attempt: TurnAttempt = {
    ...asked,
    order: session.turnsBegun,
    startedMs: Date.now(),
  };
  try {
    operationLog.enter("prepare");
    const prepared = await session.lock.run(async () => {
      session.requireOpen();
      const read = await prepareTurn(session, protocol, body, dependencies);
      if (read.kind === "full") session.isFull = true;
      else await requireAcceptable(session, read, dependencies);
      return read;
    });
    if (prepared.kind === "full") return fullSessionReply(attempt, prepared);
    if (prepared.request.stream) onWaiting(eventsOf(prepared.waiting, attempt.turnId));
    operationLog.enter("ask");
    const upstreamReply = await ask(attempt, prepared, dependencies.upstream);
    if (upstreamReply.status === 200) {
      return await receiveAndStore(attempt, prepared, upstreamReply, dependencies.replay);
    }
    const { beginning, reply } = await beginningOfRefusal(upstreamReply);
    if (beginning !== null) operationLog.refused(beginning);
    if (!protocol.isTranslation) return await passThrough(reply);
    return await refusalInProtocol(operation, reply);
  } finally {
    session.turnsInFlight -= 1;
  }
}

/** Made once, for whoever asks first: few streams begin before their reply is there. */
function eventsOf(waiting: PreparedTurn["waiting"], turnId: string): () => WaitingEvents {
  let events: WaitingEvents | null = null;
  return () => {
    events ??= waiting(turnId);
    return events;
  };
}

/** What the session, or its chat template, would lose something by. */
async function requireAcceptable(
  session: Session,
  { plan, request, addedTokens }: PreparedTurn,
  rules: PreparationRules,
): Promise<void> {
  if (plan.rewrite !== null && session.settings.historyRewrites === "refuse") {
    throw new InvalidRequestError(
      `the request rewrites the history, which this session refuses: ${plan.rewrite.reason}`,
    );
  }
  if (plan.history.length > 0) return;
  const tito = requestTokenizer(session, request.templateKwargs, rules.tito);
  await requireRenderedRoles({ messages: plan.appended, tools: request.tools }, addedTokens, tito);
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
      if (obstacle === null) storeTurn(attempt, prepared, { reply, scanned, ingest });
      else noteNotStored(attempt, obstacle);
    });
    // Sent to its end and copied into the record: the next turn gets warm pages for its own.
    freeBytes(prepared.upstreamBody.bytes);
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
