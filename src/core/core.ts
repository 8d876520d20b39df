/**
 * The operations of a session server over one registry of sessions: what both chassis run.
 *
 * Contract   knows nothing of processes, sockets or HTTP servers. Every foreseen failure is a reply
 *            with the status of its SessionError; anything else is a bug, logged and answered 500.
 * Not here   routes (http/), the phases of a turn (chat-turn.ts).
 */

import { noBytes } from "../bytes.ts";
import type { ServerConfig } from "../config.ts";
import { errorReplyTo } from "../error-reply.ts";
import { errorText, SessionError, UpstreamError } from "../errors.ts";
import { log } from "../log.ts";
import {
  healthReply,
  jsonReply,
  jsonTextReply,
  type Operation,
  type OperationHandler,
  type Reply,
  type TurnKind,
  type TurnOperation,
} from "../operation.ts";
import { anthropicMessages } from "../protocols/anthropic-messages/protocol.ts";
import { openaiResponses } from "../protocols/openai-responses/protocol.ts";
import type { TurnProtocol } from "../protocols/turn-protocol.ts";
import { randomId } from "../random-id.ts";
import { readBody } from "../stream-body.ts";
import { parseConfiguredKwargs } from "../tito/template-kwargs.ts";
import { createTitoTokenizer } from "../tito/tito-tokenizer.ts";
import { loadCheckpoint } from "../tokenizer/checkpoint.ts";
import { messageMatchers } from "../trajectory/message-matcher.ts";
import type { Session } from "../trajectory/session.ts";
import { SessionRegistry } from "../trajectory/session-registry.ts";
import { parseSessionSettings } from "../trajectory/session-settings.ts";
import { UpstreamClient } from "../upstream/upstream-client.ts";
import { chatProtocol } from "./chat-protocol.ts";
import { runTurn, type TurnDependencies } from "./chat-turn.ts";
import { EarlyStream, type OnWaiting } from "./early-stream.ts";
import { messageRulesOf } from "./message-rules.ts";
import { MismatchReports } from "./mismatch-reports.ts";
import { isModelsRequest, standInModels } from "./models.ts";
import { OperationLog } from "./operation-log.ts";
import { passThrough } from "./pass-through.ts";
import { readRequestMark } from "./request-mark.ts";
import { RetainedReplies } from "./retained-replies.ts";
import { withRoutingKey } from "./routing-key.ts";
import { sessionDump } from "./session-dump.ts";
import { sessionPage, sessionSummary } from "./session-report.ts";
import { countPromptTokens } from "./token-count.ts";

const protocols: Readonly<Record<TurnKind, TurnProtocol>> = {
  chat_completions: chatProtocol,
  messages: anthropicMessages,
  responses: openaiResponses,
};

/** Loads the checkpoint; rejects with a UsageError when it cannot be used as configured. */
export async function createSessionCore(
  config: ServerConfig,
  workerIndex: number,
): Promise<SessionCore> {
  const checkpoint = await loadCheckpoint(config.hfCheckpoint, {
    chatTemplatePath: config.chatTemplatePath,
    tokenizer: config.tokenizer,
  });
  const { tokenizerUnsupported } = checkpoint;
  if (tokenizerUnsupported !== null) {
    log.info(`tokenizer: HuggingFace's library; the fast one does not do ${tokenizerUnsupported}`);
  }
  const chatTemplateKwargs = parseConfiguredKwargs(config.chatTemplateKwargs);
  const tito = createTitoTokenizer({ family: config.titoModel, checkpoint, chatTemplateKwargs });
  const dependencies: TurnDependencies = {
    upstream: new UpstreamClient(config.backendUrl),
    tito,
    messageMatcher: messageMatchers[config.sessionMessageMatcher],
    messageRules: await messageRulesOf(tito),
    replay: {
      routedExperts: config.useRolloutRoutingReplay,
      indexerTopk: config.useRolloutIndexerReplay,
    },
    streamKeepAliveMs: config.streamKeepAliveSeconds * 1000,
  };
  return new SessionCore(config.instanceId, dependencies, workerIndex);
}

export class SessionCore implements OperationHandler {
  readonly #instanceId: string;
  readonly #workerIndex: number;
  readonly #turns: TurnDependencies;
  readonly #registry: SessionRegistry;
  readonly #replies = new RetainedReplies();
  readonly #reports: MismatchReports;

  /** @param workerIndex of the process that this is the core of; 0 when there is one */
  constructor(instanceId: string, dependencies: TurnDependencies, workerIndex = 0) {
    this.#instanceId = instanceId;
    this.#workerIndex = workerIndex;
    this.#turns = dependencies;
    this.#registry = new SessionRegistry(dependencies.tito.maxTrimTokens);
    this.#reports = new MismatchReports(dependencies.tito);
  }

  handle(operation: Operation, body: Uint8Array): Promise<Reply> {
    const early = new EarlyStream(this.#turns.streamKeepAliveMs);
    return early.answerWith(this.#answer(operation, body, early.onWaiting));
  }

  async #answer(operation: Operation, body: Uint8Array, onWaiting: OnWaiting): Promise<Reply> {
    const operationLog = new OperationLog(operation);
    try {
      const reply = await this.#carryOut(operation, body, operationLog, onWaiting);
      operationLog.end(reply.status);
      return reply;
    } catch (error) {
      if (error instanceof SessionError) {
        operationLog.end(error.status, reasonOf(error));
        return errorReplyTo(operation, error.status, error.message);
      }
      log.error(`operation ${operation.kind} failed`, error);
      operationLog.end(500, errorText(error));
      return errorReplyTo(operation, 500, `internal error: ${errorText(error)}`);
    }
  }

  async #carryOut(
    operation: Operation,
    body: Uint8Array,
    operationLog: OperationLog,
    onWaiting: OnWaiting,
  ): Promise<Reply> {
    switch (operation.kind) {
      case "health":
        return healthReply(this.#instanceId);
      case "create_session": {
        const session = this.#createSession(operation.sessionId ?? randomId(), body);
        operationLog.created(session.id);
        return jsonReply(200, { session_id: session.id });
      }
      case "get_session":
        return this.#sessionDump(operation.sessionId);
      case "delete_session":
        return this.#deleteSession(this.#registry.getOpen(operation.sessionId));
      case "chat_completions":
      case "messages":
      case "responses":
        return this.#turn(operation, body, operationLog, onWaiting);
      case "count_tokens": {
        const session = this.#registry.getOpen(operation.sessionId);
        const tokens = await countPromptTokens(session, body, this.#turns);
        return jsonReply(200, { input_tokens: tokens });
      }
      case "list_sessions":
        return jsonReply(200, sessionPage(this.#registry.all(), operation, this.#workerIndex));
      case "get_session_summary": {
        const session = this.#registry.get(operation.sessionId);
        return jsonTextReply(200, sessionSummary(session, this.#workerIndex));
      }
      case "proxy": {
        const headers = withRoutingKey(operation.headers, operation.sessionId);
        const reply = await this.#turns.upstream.send({ ...operation, headers, body });
        const standIn = isModelsRequest(operation) ? standInModels(reply) : null;
        if (standIn === null) return passThrough(reply);
        await readBody(reply.body);
        return standIn;
      }
    }
  }

  #createSession(sessionId: string, body: Uint8Array): Session {
    const settings = parseSessionSettings(body);
    // Variables that the family cannot be rendered with are the creator's mistake, not an agent's.
    this.#turns.tito.withRequestKwargs(settings.chatTemplateKwargs);
    return this.#registry.create(sessionId, settings);
  }

  #turn(
    operation: TurnOperation,
    body: Uint8Array,
    operationLog: OperationLog,
    onWaiting: OnWaiting,
  ): Promise<Reply> {
    const protocol = protocols[operation.kind];
    const session = this.#registry.getOpen(operation.sessionId);
    const mark = readRequestMark(operation, body);
    const asked = { session, operation, protocol, fingerprint: mark.fingerprint, operationLog };
    const attempt = (turnId: string, waits: OnWaiting) =>
      runTurn({ ...asked, turnId }, body, this.#turns, waits);
    return this.#replies.answer(session.id, mark, attempt, onWaiting);
  }

  #sessionDump(sessionId: string): Promise<Reply> {
    const { maxTrimTokens } = this.#turns.tito;
    return sessionDump(this.#registry.get(sessionId), this.#reports, maxTrimTokens);
  }

  async #deleteSession(session: Session): Promise<Reply> {
    session.closing = true;
    // A turn that is being prepared or stored ends first.
    await session.lock.run(() => this.#registry.remove(session));
    this.#replies.forget(session.id);
    return { status: 204, headers: [], body: noBytes };
  }
}

function reasonOf(error: SessionError): string {
  const hint = error instanceof UpstreamError ? error.hint : null;
  return hint === null ? error.message : `${error.message} (${hint})`;
}
