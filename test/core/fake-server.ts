/**
 * A core over a backend inside the test: what the tests of turns drive.
 */

import { SessionCore } from "../../src/core/core.ts";
import type { MessageRules } from "../../src/core/message-rules.ts";
import type { JsonObject } from "../../src/json/values.ts";
import type { HeaderList, Reply, TurnKind, TurnOperation } from "../../src/operation.ts";
import { createTitoTokenizer, type TitoTokenizer } from "../../src/tito/tito-tokenizer.ts";
import { loadCheckpoint } from "../../src/tokenizer/checkpoint.ts";
import { messageMatchers } from "../../src/trajectory/message-matcher.ts";
import { FakeUpstream } from "./fake-upstream.ts";

export async function qwen3Tokenizer(kwargs: JsonObject = new Map()): Promise<TitoTokenizer> {
  const checkpoint = await loadCheckpoint(null, { chatTemplatePath: null });
  return createTitoTokenizer({ family: "qwen3", checkpoint, chatTemplateKwargs: kwargs });
}

export interface Dump {
  readonly records: {
    request: { input_ids: number[]; [member: string]: unknown };
    response: { choices: unknown[] };
  }[];
  readonly metadata: {
    accumulated_token_ids: number[];
    tito_session_mismatch?: unknown[];
    session_metadata?: unknown;
  };
}

export class FakeServer {
  readonly upstream = new FakeUpstream();
  readonly core: SessionCore;

  constructor(
    tito: TitoTokenizer,
    rules: Partial<MessageRules> = {},
    { streamKeepAliveMs = 0 }: { readonly streamKeepAliveMs?: number } = {},
  ) {
    this.core = new SessionCore("1".repeat(32), {
      upstream: this.upstream,
      tito,
      messageMatcher: messageMatchers.strict,
      messageRules: { developerIsSystem: true, systemAnywhere: true, ...rules },
      replay: { routedExperts: false, indexerTopk: false },
      streamKeepAliveMs,
    });
  }

  create(sessionId: string, settings?: object): Promise<Reply> {
    const body = settings === undefined ? "" : JSON.stringify(settings);
    return this.core.handle({ kind: "create_session", sessionId }, Buffer.from(body));
  }

  ask(kind: TurnKind, sessionId: string, body: object, headers: HeaderList = []): Promise<Reply> {
    const operation: TurnOperation = { kind, sessionId, method: "POST", query: "", headers };
    return this.core.handle(operation, Buffer.from(JSON.stringify(body)));
  }

  chat(sessionId: string, body: object, headers: HeaderList = []): Promise<Reply> {
    return this.ask("chat_completions", sessionId, body, headers);
  }

  async dump(sessionId: string): Promise<Dump> {
    const reply = await this.core.handle({ kind: "get_session", sessionId }, new Uint8Array(0));
    return (await json(reply)) as Dump;
  }
}

export async function text({ body }: Reply): Promise<string> {
  if (body instanceof Uint8Array) return Buffer.from(body).toString();
  const chunks: Uint8Array[] = [];
  for await (const chunk of body.chunks) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

export async function json(reply: Reply): Promise<unknown> {
  return JSON.parse(await text(reply));
}
