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
import { parseJson, writeJson } from "../json/lossless.ts";
import type { JsonObject, JsonValue } from "../json/values.ts";
import { inlineReplyBytesMax } from "../limits.ts";
import { log, logFailure } from "../log.ts";
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
import { dumpSession } from "../records/dump.ts";
import { readBody, type StreamBody } from "../stream-body.ts";
import { createTitoTokenizer } from "../tito/tito-tokenizer.ts";
import type { Mismatch } from "../tito/token-sequence-comparator.ts";
import { loadCheckpoint } from "../tokenizer/checkpoint.ts";
import { messageMatchers } from "../trajectory/message-matcher.ts";
import type { Session } from "../trajectory/session.ts";
import { SessionRegistry } from "../trajectory/session-registry.ts";
import { parseSessionSettings } from "../trajectory/session-settings.ts";
import { UpstreamClient } from "../upstream/upstream-client.ts";
import { chatProtocol } from "./chat-protocol.ts";
import { runTurn, type TurnDependencies } from "./chat-turn.ts";
import { messageRulesOf } from "./message-rules.ts";
import { isModelsRequest, standInModels } from "./models.ts";
import { OperationLog } from "./operation-log.ts";
import { passThrough } from "./pass-through.ts";
import { readRequestMark } from "./request-mark.ts";
import { RetainedReplies } from "./retained-replies.ts";
import { withRoutingKey } from "./routing-key.ts";
import { sessionPage, sessionSummary } from "./session-report.ts";
import { countPromptTokens } from "./token-count.ts";
import { sessionTokenizer } from "./turn-preparation.ts";

const protocols: Readonly<Record<TurnKind, TurnProtocol>> = {
  chat_completions: chatProtocol,
  messages: anthropicMessages,
  responses: openaiResponses,
};

/** Loads the checkpoint; rejects with a sentence for the operator when it cannot be used. */
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
  const chatTemplateKwargs = parseJson(config.chatTemplateKwargs);
  if (!(chatTemplateKwargs instanceof Map)) {
    throw new Error("chatTemplateKwargs must be the text of a JSON object");
  }
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
  };
  return new SessionCore(config.instanceId, dependencies, workerIndex);
}

export class SessionCore implements OperationHandler {
  readonly #instanceId: string;
  readonly #workerIndex: number;
  readonly #turns: TurnDependencies;
  readonly #registry: SessionRegistry;
  readonly #replies = new RetainedReplies();

  /** @param workerIndex of the process that this is the core of; 0 when there is one */
  constructor(instanceId: string, dependencies: TurnDependencies, workerIndex = 0) {
    this.#instanceId = instanceId;
    this.#workerIndex = workerIndex;
    this.#turns = dependencies;
    this.#registry = new SessionRegistry(dependencies.tito.maxTrimTokens);
  }

  async handle(operation: Operation, body: Uint8Array): Promise<Reply> {
    const operationLog = new OperationLog(operation);
    try {
      const reply = await this.#carryOut(operation, body, operationLog);
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
        return this.#getSession(this.#registry.get(operation.sessionId));
      case "delete_session":
        return this.#deleteSession(this.#registry.getOpen(operation.sessionId));
      case "chat_completions":
      case "messages":
      case "responses":
        return this.#turn(operation, body, operationLog);
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

  #turn(operation: TurnOperation, body: Uint8Array, operationLog: OperationLog): Promise<Reply> {
    const protocol = protocols[operation.kind];
    const session = this.#registry.getOpen(operation.sessionId);
    const mark = readRequestMark(operation, body);
    const asked = { session, operation, protocol, fingerprint: mark.fingerprint, operationLog };
    return this.#replies.answer(session.id, mark, () => runTurn(asked, body, this.#turns));
  }

  /** Without the lock: a turn that is being stored is in the dump as a whole or not at all. */
  async #getSession(session: Session): Promise<Reply> {
    const { messages, latestTools, tokens } = session.trajectory;
    const ids = tokens.latest();
    const records = session.records.snapshot();
    let metadata: SessionMetadata;
    try {
      const mismatch = await this.#mismatch(session, messages, latestTools, ids);
      const sessionMetadata = session.settings.metadata;
      metadata = { mismatch, ids, maxTrimTokens: this.#turns.tito.maxTrimTokens, sessionMetadata };
    } catch (error) {
      records.release();
      throw error;
    }
    const metadataJson = metadataText(metadata);
    return {
      status: 200,
      headers: [["content-type", "application/json"]],
      body: await inlineIfSmall(dumpSession({ sessionId: session.id, records, metadataJson })),
    };
  }

  /** How the stored ids differ from a fresh render of the messages; null when unknown. */
  async #mismatch(
    session: Session,
    messages: readonly JsonObject[],
    tools: JsonValue,
    ids: Uint32Array,
  ): Promise<readonly Mismatch[] | null> {
    if (ids.length === 0) return null;
    const tito = sessionTokenizer(session, this.#turns.tito);
    try {
      const expected = await tito.renderPrompt(messages, tools, { addGenerationPrompt: false });
      return await tito.compare(expected, [...ids]);
    } catch (error) {
      if (!(error instanceof SessionError)) throw error;
      logFailure("no mismatch report", { session: session.id, reason: error.message });
      return null;
    }
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

interface SessionMetadata {
  readonly mismatch: readonly Mismatch[] | null;
  /** Ids of the latest checkpoint. */
  readonly ids: Uint32Array;
  readonly maxTrimTokens: number;
  /** What the session was created with; null when nothing. */
  readonly sessionMetadata: JsonObject | null;
}

function metadataText(metadata: SessionMetadata): string {
  const { mismatch, ids, maxTrimTokens, sessionMetadata } = metadata;
  const report = mismatch === null ? "" : `"tito_session_mismatch":${JSON.stringify(mismatch)},`;
  const given = sessionMetadata === null ? "" : `,"session_metadata":${writeJson(sessionMetadata)}`;
  return (
    `{${report}"accumulated_token_ids":[${ids.join(",")}],` +
    `"max_trim_tokens":${maxTrimTokens}${given}}`
  );
}

/** A small body is sent as a whole, with its length; only a large one is worth a stream. */
async function inlineIfSmall(body: StreamBody): Promise<Uint8Array | StreamBody> {
  if (body.byteLength === null || body.byteLength > inlineReplyBytesMax) return body;
  return readBody(body.chunks);
}
