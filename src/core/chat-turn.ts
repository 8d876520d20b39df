/**
 * One chat turn of a session: prepare, ask the backend, store.
 *
 * Contract   the session's lock is held while the request is prepared and while the turn is stored,
 *            not while the model thinks: a delete or another chat need not wait for it. A turn is
 *            stored only on the state that it was prepared on; if the session advanced or was
 *            deleted meanwhile, the client gets its reply and nothing is stored. A turn that fails,
 *            wherever it does, leaves the session as it was, retries included: what a retry takes
 *            back is taken back only when its own reply is stored.
 * Reports    SessionNotFoundError, InvalidRequestError, UpstreamError, UpstreamAbortedError; a
 *            backend's own error goes to the client as it came.
 */
import { freeBytes } from "../bytes.ts";
import { SessionNotFoundError, UpstreamError } from "../errors.ts";
import { SpanSyntaxError } from "../json/span-error.ts";
import { type ScannedDocument, SpanScanner } from "../json/span-scanner.ts";
import type { HeaderList, Operation, Reply } from "../operation.ts";
import type { PayloadIngest } from "../records/record-store.ts";
import type { TitoTokenizer } from "../tito/tito-tokenizer.ts";
import type { MessageMatcher, TurnPlan } from "../trajectory/linear-trajectory.ts";
import type { Session } from "../trajectory/session.ts";
import type { Upstream, UpstreamReply } from "../upstream/upstream-client.ts";
import { type ChatReply, parseChatReply } from "./chat-reply.ts";
import {
  type ChatRequest,
  parseChatRequest,
  type ReplayFlags,
  type UpstreamBody,
  upstreamRequest,
} from "./chat-request.ts";
import type { OperationLog } from "./operation-log.ts";
import { passThrough } from "./pass-through.ts";
import { requireReplayPayloads } from "./replay-payloads.ts";
import { streamReply } from "./stream-chunk.ts";

export type ChatOperation = Extract<Operation, { kind: "chat_completions" }>;

export interface ChatDependencies {
  readonly upstream: Upstream;
  readonly tito: TitoTokenizer;
  readonly messageMatcher: MessageMatcher;
  readonly replay: ReplayFlags;
}

/** What the backend is asked, and the state of the session that it was made for. */
interface PreparedTurn {
  readonly request: ChatRequest;
  /** Leading segments of the known messages' text that the request repeats. */
  readonly matchedSegments: number;
  readonly plan: TurnPlan;
  readonly dropLast: number;
  readonly promptTokens: readonly number[];
  readonly upstreamBody: UpstreamBody;
}

export async function runChatTurn(
  session: Session,
  operation: ChatOperation,
  body: Uint8Array,
  dependencies: ChatDependencies,
  operationLog: OperationLog,
): Promise<Reply> {
  const requestTimestamp = Date.now() / 1000;
  operationLog.enter("prepare");
  const prepared = await session.lock.run(() => {
    requireOpen(session);
    return prepare(session, body, dependencies);
  });
  operationLog.enter("ask");
  const upstreamReply = await dependencies.upstream.send({
    method: operation.method,
    path: "v1/chat/completions",
    query: operation.query,
    headers: withRoutingKey(operation.headers, session.id),
    body: prepared.upstreamBody.bytes,
  });
  if (upstreamReply.status !== 200) return passThrough(upstreamReply);

  operationLog.enter("receive");
  const ingest = session.records.beginPayloads();
  try {
    const scanned = await receive(upstreamReply, ingest);
    const reply = parseChatReply(scanned.skeleton);
    requireReplayPayloads(scanned.members, dependencies.replay);
    operationLog.enter("store");
    await session.lock.run(() => {
      const obstacle = obstacleToStoring(session, prepared.plan);
      if (obstacle !== null) {
        operationLog.notStored(obstacle);
        return;
      }
      const { method } = operation;
      store(session, prepared, { reply, scanned, ingest, requestTimestamp, method });
    });
    return clientReply(upstreamReply, scanned.skeleton, reply, prepared.request.stream);
  } finally {
    ingest.discard();
  }
}

export function withRoutingKey(headers: HeaderList, sessionId: string): HeaderList {
  return [
    ...headers.filter(([name]) => name !== "x-smg-routing-key"),
    ["x-smg-routing-key", headerValue(sessionId)],
  ];
}

/** A client may relay under any name: one that is no header value is escaped. */
function headerValue(sessionId: string): string {
  const isPlain = /^[\x21-\x7e]+$/.test(sessionId);
  return isPlain ? sessionId : encodeURIComponent(sessionId.toWellFormed());
}

async function prepare(
  session: Session,
  body: Uint8Array,
  dependencies: ChatDependencies,
): Promise<PreparedTurn> {
  const known = session.trajectory.knownMessages();
  const request = parseChatRequest(body, known);
  const tito =
    request.templateKwargs.size > 0
      ? dependencies.tito.withRequestKwargs(request.templateKwargs)
      : dependencies.tito;
  const plan = session.trajectory.plan(
    request.messages,
    dependencies.messageMatcher,
    tito.allowedAppendRoles,
  );
  const { dropLast, tokens } =
    plan.lastToken === undefined
      ? {
          dropLast: 0,
          tokens: await tito.renderPrompt(plan.appended, request.tools, {
            addGenerationPrompt: true,
          }),
        }
      : await tito.appendTokens(plan.history, plan.appended, plan.lastToken, request.tools);
  const inputIds = session.trajectory.tokens.promptText(plan.checkpointCount, dropLast, tokens);
  const { replay } = dependencies;
  const upstreamBody = upstreamRequest(request, replay, tito.chatTemplateKwargs, inputIds);
  const { matchedSegments } = known;
  return { request, matchedSegments, plan, dropLast, promptTokens: tokens, upstreamBody };
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
function obstacleToStoring(session: Session, plan: TurnPlan): string | null {
  if (session.closing) return "the session was deleted during the turn";
  if (session.trajectory.revision !== plan.revision) return "the session advanced during the turn";
  return null;
}

interface ReceivedTurn {
  readonly reply: ChatReply;
  readonly scanned: ScannedDocument;
  readonly ingest: PayloadIngest;
  /** Seconds since 1970, when the client's request arrived. */
  readonly requestTimestamp: number;
  readonly method: string;
}

function store(session: Session, prepared: PreparedTurn, received: ReceivedTurn): void {
  const { plan, dropLast, promptTokens, request, upstreamBody } = prepared;
  const { reply, scanned, ingest, requestTimestamp, method } = received;
  session.trajectory.commit(plan, {
    dropLast,
    tokens: [...promptTokens, ...reply.completionTokens],
    assistantMessage: reply.assistantMessage,
    tools: { text: request.toolsText, value: request.tools },
    messagesText: request.messagesText,
    matchedSegments: prepared.matchedSegments,
  });
  session.records.rollback(plan.checkpointCount);
  ingest.commit({
    timestamp: Date.now() / 1000,
    requestTimestamp,
    method,
    path: "/v1/chat/completions",
    request: upstreamBody.parts,
    response: scanned,
    statusCode: 200,
  });
}

function clientReply(
  upstream: UpstreamReply,
  skeleton: Uint8Array,
  reply: ChatReply,
  stream: boolean,
): Reply {
  if (stream) return streamReply(upstream.status, reply);
  const headers = upstream.headers.some(([name]) => name === "content-type")
    ? upstream.headers
    : [...upstream.headers, ["content-type", "application/json"] satisfies [string, string]];
  return { status: upstream.status, headers, body: skeleton };
}

function requireOpen(session: Session): void {
  if (session.closing) throw new SessionNotFoundError(session.id);
}
