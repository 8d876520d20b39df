/**
 * Clients that time out, repeat themselves and are refused: npm openai and @anthropic-ai/sdk.
 */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import Anthropic from "@anthropic-ai/sdk";
import OpenAI from "openai";
import { hangMs } from "../harness/time-limit.ts";
import { type AgentServer, startAgentServer } from "./agent-server.ts";

/** Held back until a test lets the model answer; by session. */
const gates = new Map<string, Promise<void>>();

let server: AgentServer;

beforeAll(async () => {
  server = await startAgentServer({
    reply: async ({ routingKey, messages }) => {
      await gates.get(routingKey);
      return { content: `answer to ${messages.length}` };
    },
  });
}, hangMs);

afterAll(() => server.stop());

interface Clients {
  readonly openai: OpenAI;
  readonly anthropic: Anthropic;
}

interface ClientOptions {
  readonly timeout?: number;
  readonly maxRetries?: number;
  readonly fetch?: typeof fetch;
  readonly defaultHeaders?: Record<string, string>;
}

function clientsOf(sessionId: string, options: ClientOptions = {}): Clients {
  const sessionUrl = server.sessionUrl(sessionId);
  return {
    openai: new OpenAI({ apiKey: "unused", baseURL: `${sessionUrl}/v1`, ...options }),
    anthropic: new Anthropic({ apiKey: "unused", baseURL: sessionUrl, ...options }),
  };
}

interface RequestOptions {
  readonly headers?: Record<string, string>;
}

type Say = (clients: Clients, content: string, options?: RequestOptions) => Promise<unknown>;

const user = (content: string) => [{ role: "user" as const, content }];

const ways: [string, Say][] = [
  [
    "openai, chat",
    async ({ openai }, content, options) => {
      const body = { model: "m", messages: user(content) };
      const completion = await openai.chat.completions.create(body, options);
      return completion.choices[0]?.message.content;
    },
  ],
  [
    "openai, chat streamed",
    async ({ openai }, content, options) => {
      const body = { model: "m", messages: user(content), stream: true as const };
      return openai.chat.completions.stream(body, options).finalContent();
    },
  ],
  [
    "openai, responses",
    async ({ openai }, content, options) => {
      const response = await openai.responses.create({ model: "m", input: content }, options);
      return response.output_text;
    },
  ],
  [
    "anthropic",
    async ({ anthropic }, content, options) => {
      const body = { model: "m", max_tokens: 100, messages: user(content) };
      const message = await anthropic.messages.create(body, options);
      return message.content[0]?.type === "text" ? message.content[0].text : null;
    },
  ],
  [
    "anthropic, streamed",
    async ({ anthropic }, content, options) => {
      const body = { model: "m", max_tokens: 100, messages: user(content) };
      return anthropic.messages.stream(body, options).finalText();
    },
  ],
];

function sampled(sessionId: string): number {
  const key = "x-smg-routing-key";
  return server.engine.requests.filter(({ headers }) => headers[key] === sessionId).length;
}

describe.each(ways)("%s", (_way, say) => {
  test("a client that times out gets the one sample that was taken", async () => {
    const sessionId = await server.createSession();
    const gate = Promise.withResolvers<void>();
    gates.set(sessionId, gate.promise);
    let attempts = 0;
    const clients = clientsOf(sessionId, {
      timeout: 100,
      maxRetries: 3,
      fetch: (async (input: string, init: RequestInit) => {
        attempts += 1;
        // The repetition is on its way: it finds the first attempt running, or done.
        if (attempts === 2) gate.resolve();
        // Only the first attempt is given up: a slow machine must not make it all of them.
        return fetch(input, attempts === 1 ? init : { ...init, signal: null });
      }) as unknown as typeof fetch,
    });
    expect(await say(clients, "a")).toBe("answer to 1");
    expect(attempts).toBeGreaterThanOrEqual(2);
    expect(sampled(sessionId)).toBe(1);
    expect((await server.dump(sessionId)).records).toHaveLength(1);
  });

  test("a reply that was lost is given again, and the session goes on", async () => {
    const sessionId = await server.createSession();
    let attempts = 0;
    const clients = clientsOf(sessionId, {
      maxRetries: 1,
      fetch: (async (input: string, init: RequestInit) => {
        const reply = await fetch(input, init);
        attempts += 1;
        if (attempts > 1) return reply;
        await reply.arrayBuffer();
        throw new TypeError("the connection broke");
      }) as unknown as typeof fetch,
    });
    expect(await say(clients, "a")).toBe("answer to 1");
    expect([attempts, sampled(sessionId)]).toEqual([2, 1]);
    // Without a mark, the same words are a new attempt.
    expect(await say(clients, "a")).toBe("answer to 1");
    expect(sampled(sessionId)).toBe(2);
    expect((await server.dump(sessionId)).records).toHaveLength(1);
  });

  test("an Idempotency-Key names one request", async () => {
    const sessionId = await server.createSession();
    const clients = clientsOf(sessionId, { maxRetries: 0 });
    const options = { headers: { "idempotency-key": "k" } };
    expect(await say(clients, "a", options)).toBe("answer to 1");
    expect(await say(clients, "a", options)).toBe("answer to 1");
    expect(sampled(sessionId)).toBe(1);
    await expect(say(clients, "b", options)).rejects.toMatchObject({ status: 400 });
  });

  test.each([
    ["status-429:slow down", 429, "slow down"],
    ['status-400:{"message":"too long"}', 400, "too long"],
    ["null-content", 502, "content is None"],
  ])("the backend's %s is an error of the client's own kind", async (fault, status, sentence) => {
    const sessionId = await server.createSession();
    const clients = clientsOf(sessionId, { maxRetries: 0 });
    const failing = say(clients, "a", { headers: { "x-mock-error": fault } });
    const error = await failing.catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(Error);
    expect(error).toMatchObject({ status });
    expect(String(error)).toContain(sentence);
    expect((await server.dump(sessionId)).records).toEqual([]);
    expect(await say(clients, "a")).toBe("answer to 1");
  });

  test("a session that is gone is not found", async () => {
    const clients = clientsOf("nobody", { maxRetries: 0 });
    const error = await say(clients, "a").catch((reason: unknown) => reason);
    expect(error).toMatchObject({ status: 404 });
    expect(String(error)).toContain("session not found: session_id=nobody");
  });
});

test("anthropic: an overloaded backend is overloaded", async () => {
  const sessionId = await server.createSession();
  const { anthropic } = clientsOf(sessionId, { maxRetries: 0 });
  const body = { model: "m", max_tokens: 100, messages: user("a") };
  const options = { headers: { "x-mock-error": "status-503:busy" } };
  const error = await anthropic.messages.create(body, options).catch((reason: unknown) => reason);
  expect(error).toMatchObject({ status: 529, error: { error: { type: "overloaded_error" } } });
});

test("openai: models are what a client probes first", async () => {
  const sessionId = await server.createSession();
  const { openai } = clientsOf(sessionId);
  const models = await openai.models.list();
  expect(models.data.map(({ id }) => id)).toEqual(["mock-model"]);
});
