/**
 * What a turn leaves in memory when it is over: nothing, unless it was stored.
 */
import { beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { SessionCore } from "../../src/core/core.ts";
import { configureLog } from "../../src/log.ts";
import type { Operation, Reply } from "../../src/operation.ts";
import type { TitoTokenizer } from "../../src/tito/tito-tokenizer.ts";
import { messageMatchers } from "../../src/trajectory/message-matcher.ts";
import type { Upstream, UpstreamReply } from "../../src/upstream/upstream-client.ts";
import { json, qwen3Tokenizer } from "./fake-server.ts";

configureLog("test", "silent");

let tito: TitoTokenizer;

beforeAll(async () => {
  tito = await qwen3Tokenizer();
});

const noBody = new Uint8Array(0);
const user = (content: string) => ({ role: "user", content });
const payload = "QUJD".repeat(50_000);
/** Of turns that fail: nothing of it is held already. */
const otherPayload = "WFla".repeat(50_000);

interface Generated {
  readonly content?: string;
  readonly metaInfo?: object;
  readonly finishReason?: string;
}

function completion({ content = "one", metaInfo = {}, finishReason = "stop" }: Generated = {}) {
  const meta = {
    completion_tokens: 1,
    output_token_logprobs: [[-0.5, 7, null]],
    routed_experts: payload,
    ...metaInfo,
  };
  const message = { role: "assistant", content };
  return JSON.stringify({ choices: [{ message, finish_reason: finishReason, meta_info: meta }] });
}

/** A server over a backend that answers with the chunks that the test says next. */
class Server {
  readonly core: SessionCore;
  /** Chunks that the backend has sent, in memory of their own as those of a socket. */
  readonly sent: Uint8Array[] = [];
  /** Bodies of the requests that the backend got. */
  readonly received: Uint8Array[] = [];
  #next: () => AsyncIterable<string> | Iterable<string> = () => [completion()];

  constructor() {
    const upstream: Upstream = {
      send: ({ body }) => {
        this.received.push(body);
        return this.#reply();
      },
    };
    this.core = new SessionCore("1".repeat(32), {
      upstream,
      tito,
      messageMatcher: messageMatchers.strict,
      messageRules: { developerIsSystem: true, systemAnywhere: true },
      replay: { routedExperts: true, indexerTopk: false },
      streamKeepAliveMs: 0,
    });
  }

  answerWith(next: () => AsyncIterable<string> | Iterable<string>): void {
    this.#next = next;
  }

  async #reply(): Promise<UpstreamReply> {
    const next = this.#next;
    const { sent } = this;
    async function* body() {
      for await (const text of next()) {
        const chunk = new TextEncoder().encode(text);
        const own = new Uint8Array(chunk.length);
        own.set(chunk);
        sent.push(own);
        yield own;
      }
    }
    return { status: 200, headers: [], contentLength: null, body: body() };
  }

  handle(operation: Operation, body: Uint8Array = noBody): Promise<Reply> {
    return this.core.handle(operation, body);
  }

  chat(messages: object[], headers: [string, string][] = []): Promise<Reply> {
    const operation: Operation = {
      kind: "chat_completions",
      sessionId: "s",
      method: "POST",
      query: "",
      headers,
    };
    return this.handle(operation, Buffer.from(JSON.stringify({ messages })));
  }

  /** Of the session's records, turns in flight included. */
  async retainedBytes(): Promise<number> {
    const reply = await this.handle({ kind: "get_session_summary", sessionId: "s" });
    return ((await json(reply)) as { bytes: number }).bytes;
  }
}

let server: Server;

beforeEach(async () => {
  server = new Server();
  await server.handle({ kind: "create_session", sessionId: "s" });
});

/** A reply that is complete, for a turn that fails because of what `made` changes. */
function failing(made: Generated = {}): string {
  return completion({ ...made, metaInfo: { routed_experts: otherPayload, ...made.metaInfo } });
}

async function* breakingOff() {
  yield failing().slice(0, 100_000);
  throw new Error("the connection broke");
}

type Chunks = AsyncIterable<string> | string[];

const failures: [name: string, status: number, next: () => Chunks][] = [
  ["whose reply is no JSON", 502, () => [failing().slice(0, -1), "]"]],
  ["whose reply ends too early", 502, () => [failing().slice(0, 150_000)]],
  ["whose reply breaks off", 500, breakingOff],
  ["whose reply is no completion", 502, () => [failing({ metaInfo: { completion_tokens: 9 } })]],
  ["without its payload", 502, () => [failing({ metaInfo: { routed_experts: null } })]],
  ["that was aborted", 503, () => [failing({ finishReason: "abort" })]],
];

describe("a turn leaves no memory of its records behind:", () => {
  test.each(failures)("one %s", async (_, status, next) => {
    expect((await server.chat([user("a")])).status).toBe(200);
    const bytes = await server.retainedBytes();
    expect(bytes).toBeGreaterThan(payload.length);
    const messages = [user("a"), { role: "assistant", content: "one" }, user("b")];
    for (let attempt = 0; attempt < 3; attempt += 1) {
      server.answerWith(next);
      expect((await server.chat(messages)).status).toBe(status);
      expect(await server.retainedBytes()).toBe(bytes);
    }
    // It fails because of the reply alone.
    server.answerWith(() => [completion()]);
    expect((await server.chat(messages)).status).toBe(200);
  });

  test("one that may not be stored any more", async () => {
    const answered = Promise.withResolvers<void>();
    const arrived = Promise.withResolvers<void>();
    server.answerWith(async function* () {
      yield completion().slice(0, 1_000);
      arrived.resolve();
      await answered.promise;
      yield completion().slice(1_000);
    });
    const late = server.chat([user("late")]);
    await arrived.promise;
    server.answerWith(() => [completion()]);
    expect((await server.chat([user("a")])).status).toBe(200);
    answered.resolve();
    expect((await late).status).toBe(200);
    const bytes = await server.retainedBytes();
    const other = new Server();
    await other.handle({ kind: "create_session", sessionId: "s" });
    await other.chat([user("a")]);
    expect(bytes).toBe(await other.retainedBytes());
  });
});

test("the chunks of a reply are freed one by one, as soon as they are read", async () => {
  const whole = completion();
  const freed: boolean[] = [];
  server.answerWith(function* () {
    for (let start = 0; start < whole.length; start += 10_000) {
      freed.push(server.sent.every((chunk) => chunk.byteLength === 0));
      yield whole.slice(start, start + 10_000);
    }
  });
  expect((await server.chat([user("a")])).status).toBe(200);
  expect(freed.length).toBeGreaterThan(20);
  expect(freed).not.toContain(false);
});

test("the request to the backend is freed when its turn is stored", async () => {
  await server.chat([user("a")]);
  expect(server.received.map(({ byteLength }) => byteLength)).toEqual([0]);
});

test("a deleted session's replies are forgotten: its id does not bring them back", async () => {
  const again: [string, string][] = [["x-stainless-retry-count", "1"]];
  await server.chat([user("a")]);
  expect((await server.chat([user("a")], again)).status).toBe(200);
  expect(server.received.length).toBe(1);
  await server.handle({ kind: "delete_session", sessionId: "s" });
  await server.handle({ kind: "create_session", sessionId: "s" });
  expect((await server.chat([user("a")], again)).status).toBe(200);
  expect(server.received.length).toBe(2);
});
