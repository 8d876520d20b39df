import { beforeAll, describe, expect, test } from "bun:test";
import { SessionCore } from "../../src/core/core.ts";
import { UpstreamError } from "../../src/errors.ts";
import { configureLog } from "../../src/log.ts";
import type { Operation, Reply } from "../../src/operation.ts";
import { createTitoTokenizer, type TitoTokenizer } from "../../src/tito/tito-tokenizer.ts";
import { loadCheckpoint } from "../../src/tokenizer/checkpoint.ts";
import { messageMatchers } from "../../src/trajectory/message-matcher.ts";
import { FakeUpstream } from "./fake-upstream.ts";

configureLog("test", "silent");

let tito: TitoTokenizer;

beforeAll(async () => {
  const checkpoint = await loadCheckpoint(null, { chatTemplatePath: null });
  tito = createTitoTokenizer({ family: "qwen3", checkpoint, chatTemplateKwargs: new Map() });
});

const noBody = new Uint8Array(0);
const user = (content: string) => ({ role: "user", content });
const assistant = (content: string) => ({ role: "assistant", content });

class Server {
  readonly upstream = new FakeUpstream();
  readonly core: SessionCore;

  constructor(tokenizer: TitoTokenizer = tito) {
    this.core = new SessionCore("1".repeat(32), {
      upstream: this.upstream,
      tito: tokenizer,
      messageMatcher: messageMatchers.strict,
      messageRules: { developerIsSystem: true, systemAnywhere: true },
      replay: { routedExperts: true, indexerTopk: false },
      streamKeepAliveMs: 0,
    });
  }

  async create(sessionId: string): Promise<Reply> {
    return this.core.handle({ kind: "create_session", sessionId }, noBody);
  }

  chat(sessionId: string, messages: unknown, more: object = {}): Promise<Reply> {
    const operation: Operation = {
      kind: "chat_completions",
      sessionId,
      method: "POST",
      query: "",
      headers: [["x-smg-routing-key", "forged"]],
    };
    return this.core.handle(operation, Buffer.from(JSON.stringify({ messages, ...more })));
  }

  async remove(sessionId: string): Promise<Reply> {
    return this.core.handle({ kind: "delete_session", sessionId }, noBody);
  }

  async dump(sessionId: string): Promise<{
    records: { request: { input_ids: number[] }; response: { choices: unknown[] } }[];
    metadata: { accumulated_token_ids: number[]; tito_session_mismatch?: unknown[] };
  }> {
    const reply = await this.core.handle({ kind: "get_session", sessionId }, noBody);
    return JSON.parse(await text(reply));
  }

  /** One turn that the backend answers at once. */
  async turn(sessionId: string, messages: unknown, content: string): Promise<Reply> {
    const reply = this.chat(sessionId, messages);
    (await this.upstream.next()).generate(content);
    return reply;
  }
}

async function text({ body }: Reply): Promise<string> {
  if (body instanceof Uint8Array) return Buffer.from(body).toString();
  const chunks: Uint8Array[] = [];
  for await (const chunk of body.chunks) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

describe("SessionCore", () => {
  test("creates a session under the id that it is given, once", async () => {
    const server = new Server();
    expect(await text(await server.create("a"))).toBe('{"session_id":"a"}');
    const again = await server.create("a");
    expect(again.status).toBe(409);
    expect(await text(again)).toBe('{"error":"session exists already: session_id=a"}');
  });

  test("keeps the ids of a turn as the start of the next prompt", async () => {
    const server = new Server();
    await server.create("s");
    await server.turn("s", [user("a")], "one");
    await server.turn("s", [user("a"), assistant("one"), user("b")], "two");
    const { records, metadata } = await server.dump("s");
    const [first, second] = records.map(({ request }) => request.input_ids);
    expect(second?.slice(0, (first?.length ?? 0) + 1)).toEqual([...(first ?? []), 7]);
    expect(metadata.accumulated_token_ids).toEqual([...(second ?? []), 7]);
  });

  test("names the session to the backend, whatever the client says", async () => {
    const server = new Server();
    await server.create("s");
    void server.chat("s", [user("a")]);
    const { request } = await server.upstream.next();
    expect(request.headers.filter(([name]) => name === "x-smg-routing-key")).toEqual([
      ["x-smg-routing-key", "s"],
    ]);
  });

  test("relays a proxied request, and streams a reply of unknown length", async () => {
    const server = new Server();
    const operation: Operation = {
      kind: "proxy",
      sessionId: "s",
      method: "GET",
      path: "v1/models",
      query: "a=1",
      headers: [],
    };
    const reply = server.core.handle(operation, noBody);
    const pending = await server.upstream.next();
    expect(pending.request).toMatchObject({ method: "GET", path: "v1/models", query: "a=1" });
    pending.answer(200, "{}");
    expect(await text(await reply)).toBe("{}");
  });

  test("answers a bug with 500 instead of rejecting", async () => {
    const server = new Server();
    await server.create("s");
    const reply = server.chat("s", [user("a")]);
    (await server.upstream.next()).fail(new TypeError("a bug"));
    expect((await reply).status).toBe(500);
  });
});

describe("a turn that fails leaves the session as it was:", () => {
  const second = [user("a"), assistant("one"), user("b")];

  test.each([
    [
      "the backend is not reached",
      502,
      (server: Server) =>
        server.upstream.next().then((pending) => pending.fail(new UpstreamError("gone"))),
    ],
    [
      "the backend refuses",
      503,
      (server: Server) => server.upstream.next().then((pending) => pending.answer(503, "busy")),
    ],
    [
      "the reply is no JSON",
      502,
      (server: Server) =>
        server.upstream
          .next()
          .then((pending) =>
            pending.answer(200, ['{"choices":[{"meta_info":{"routed_experts":"AAA', "A"]),
          ),
    ],
    [
      "the reply has no tokens",
      502,
      (server: Server) =>
        server.upstream.next().then((pending) => pending.answer(200, '{"choices":[{}]}')),
    ],
  ] as const)("%s", async (_name, status, answer) => {
    const server = new Server();
    await server.create("s");
    await server.turn("s", [user("a")], "one");
    const before = await server.dump("s");
    // Once as the next turn, once as a retry of the last one.
    for (const messages of [second, [user("other")]]) {
      const reply = server.chat("s", messages);
      await answer(server);
      expect((await reply).status).toBe(status);
      expect(await server.dump("s")).toEqual(before);
    }
    expect((await server.turn("s", second, "two")).status).toBe(200);
  });

  test("the request is wrong, after a rollback was planned", async () => {
    const server = new Server();
    await server.create("s");
    await server.turn("s", [user("a")], "one");
    const before = await server.dump("s");
    const reply = await server.chat("s", [user("other")], { tools: [{ type: "function" }] });
    expect(reply.status).toBe(400);
    expect(await server.dump("s")).toEqual(before);
    expect(server.upstream.unanswered).toBe(0);
  });
});

describe("races of one session", () => {
  test("two first turns at once: the one that returns first is stored", async () => {
    const server = new Server();
    await server.create("s");
    const slow = server.chat("s", [user("a")]);
    const slowPending = await server.upstream.next();
    const fast = server.chat("s", [user("a")]);
    (await server.upstream.next()).generate("fast", { token: 1 });
    expect(await text(await fast)).toContain("fast");
    slowPending.generate("slow", { token: 2 });
    expect(await text(await slow)).toContain("slow");
    const { records, metadata } = await server.dump("s");
    expect(records).toHaveLength(1);
    expect(metadata.accumulated_token_ids.at(-1)).toBe(1);
  });

  test("a turn in flight does not survive a retry that replaced its base", async () => {
    const server = new Server();
    await server.create("s");
    await server.turn("s", [user("a")], "one");
    const stale = server.chat("s", [user("a"), assistant("one"), user("b")]);
    const stalePending = await server.upstream.next();
    await server.turn("s", [user("a")], "other");
    stalePending.generate("two");
    expect((await stale).status).toBe(200);
    const { records } = await server.dump("s");
    expect(JSON.stringify(records)).not.toContain('"two"');
    expect(records).toHaveLength(1);
  });

  test("delete while the backend thinks: answered, not stored, nothing comes back", async () => {
    const server = new Server();
    await server.create("s");
    const reply = server.chat("s", [user("a")]);
    const pending = await server.upstream.next();
    expect((await server.remove("s")).status).toBe(204);
    pending.generate("late");
    expect((await reply).status).toBe(200);
    expect((await server.remove("s")).status).toBe(404);
    await server.create("s");
    expect((await server.dump("s")).records).toEqual([]);
  });

  test("a late reply does not reach a new session of the same id", async () => {
    const server = new Server();
    await server.create("s");
    const reply = server.chat("s", [user("a")]);
    const pending = await server.upstream.next();
    await server.remove("s");
    await server.create("s");
    pending.generate("late");
    await reply;
    expect((await server.dump("s")).records).toEqual([]);
  });

  test("delete twice at once: one is 204, the other 404", async () => {
    const server = new Server();
    await server.create("s");
    const replies = await Promise.all([server.remove("s"), server.remove("s")]);
    expect(replies.map(({ status }) => status).sort()).toEqual([204, 404]);
  });

  test("chat right behind a delete: 404, the backend is not called", async () => {
    const server = new Server();
    await server.create("s");
    const removed = server.remove("s");
    const reply = await server.chat("s", [user("a")]);
    expect(reply.status).toBe(404);
    expect((await removed).status).toBe(204);
    expect(server.upstream.unanswered).toBe(0);
  });

  test("delete while a chat is prepared: that chat ends with 404 only if it comes after", async () => {
    const entered = Promise.withResolvers<void>();
    const gate = Promise.withResolvers<void>();
    const server = new Server({
      ...delegating(tito),
      async renderPrompt(...parameters) {
        entered.resolve();
        await gate.promise;
        return tito.renderPrompt(...parameters);
      },
    });
    await server.create("s");
    const preparing = server.chat("s", [user("a")]);
    await entered.promise;
    const waiting = server.chat("s", [user("a")]);
    const removed = server.remove("s");
    gate.resolve();
    (await server.upstream.next()).generate("one");
    expect((await preparing).status).toBe(200);
    expect((await waiting).status).toBe(404);
    expect((await removed).status).toBe(204);
    expect(server.upstream.unanswered).toBe(0);
  });
});

/** The tokenizer as a plain object, so that a test can replace a method. */
function delegating(whole: TitoTokenizer): TitoTokenizer {
  return {
    allowedAppendRoles: whole.allowedAppendRoles,
    maxTrimTokens: whole.maxTrimTokens,
    chatTemplateKwargs: whole.chatTemplateKwargs,
    withRequestKwargs: (kwargs) => whole.withRequestKwargs(kwargs),
    renderPrompt: (...parameters) => whole.renderPrompt(...parameters),
    appendTokens: (...parameters) => whole.appendTokens(...parameters),
    compare: (...parameters) => whole.compare(...parameters),
  };
}
