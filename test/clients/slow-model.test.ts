/**
 * Clients whose model takes longer than their stream is silent: npm openai, @anthropic-ai/sdk, ai.
 */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { createAnthropic } from "@ai-sdk/anthropic";
import { createOpenAI } from "@ai-sdk/openai";
import Anthropic from "@anthropic-ai/sdk";
import { streamText } from "ai";
import OpenAI from "openai";
import { hangMs } from "../harness/time-limit.ts";
import { type AgentServer, startAgentServer } from "./agent-server.ts";

/** Open once a test's client has the head of its stream; by session. */
const gates = new Map<string, PromiseWithResolvers<void>>();

let server: AgentServer;

beforeAll(async () => {
  server = await startAgentServer({
    flags: ["--stream-keep-alive-seconds", "1"],
    reply: async ({ routingKey }) => {
      await gates.get(routingKey)?.promise;
      return { reasoning: "Hm.", content: "at last" };
    },
  });
}, hangMs);

afterAll(() => server.stop());

interface Connection {
  readonly sessionUrl: string;
  /** Lets the model answer when the stream has begun: without that, it never does. */
  readonly fetch: typeof fetch;
  readonly headers: Record<string, string>;
}

async function connect(headers: Record<string, string> = {}): Promise<Connection> {
  const sessionId = await server.createSession();
  const gate = Promise.withResolvers<void>();
  gates.set(sessionId, gate);
  const opening = async (input: string, init: RequestInit) => {
    const response = await fetch(input, init);
    expect(response.headers.get("content-type")).toContain("text/event-stream");
    gate.resolve();
    return response;
  };
  return {
    sessionUrl: server.sessionUrl(sessionId),
    fetch: opening as unknown as typeof fetch,
    headers,
  };
}

type Say = (connection: Connection) => Promise<string>;

const user = [{ role: "user" as const, content: "a" }];

function openaiOf({ sessionUrl, fetch, headers }: Connection): OpenAI {
  const baseURL = `${sessionUrl}/v1`;
  return new OpenAI({ apiKey: "unused", baseURL, fetch, maxRetries: 0, defaultHeaders: headers });
}

function anthropicOf({ sessionUrl, fetch, headers }: Connection): Anthropic {
  const baseURL = sessionUrl;
  return new Anthropic({
    apiKey: "unused",
    baseURL,
    fetch,
    maxRetries: 0,
    defaultHeaders: headers,
  });
}

async function streamed(model: Parameters<typeof streamText>[0]["model"]): Promise<string> {
  const failures: unknown[] = [];
  const result = streamText({
    ...{ model, messages: user, maxRetries: 0 },
    onError: ({ error }) => void failures.push(error),
  });
  await result.consumeStream();
  if (failures.length > 0) throw failures[0];
  return result.text;
}

const ways: [string, Say][] = [
  [
    "openai, chat",
    (connection) => {
      const body = { model: "m", messages: user };
      return openaiOf(connection).chat.completions.stream(body).finalContent() as Promise<string>;
    },
  ],
  [
    "openai, responses",
    async (connection) => {
      const stream = openaiOf(connection).responses.stream({ model: "m", input: "a" });
      return (await stream.finalResponse()).output_text;
    },
  ],
  [
    "anthropic",
    (connection) => {
      const body = { model: "m", max_tokens: 100, messages: user };
      return anthropicOf(connection).messages.stream(body).finalText();
    },
  ],
  [
    "ai, OpenAI chat",
    ({ sessionUrl, ...more }) =>
      streamed(createOpenAI({ apiKey: "unused", baseURL: `${sessionUrl}/v1`, ...more }).chat("m")),
  ],
  [
    "ai, OpenAI responses",
    ({ sessionUrl, ...more }) =>
      streamed(createOpenAI({ apiKey: "unused", baseURL: `${sessionUrl}/v1`, ...more })("m")),
  ],
  [
    "ai, Anthropic",
    ({ sessionUrl, ...more }) =>
      streamed(createAnthropic({ apiKey: "unused", baseURL: `${sessionUrl}/v1`, ...more })("m")),
  ],
];

describe.each(ways)("%s", (_way, say) => {
  test("takes signs of life for what they are", async () => {
    expect(await say(await connect())).toBe("at last");
  });

  test("raises a failure that comes behind them", async () => {
    const connection = await connect({ "x-mock-error": "null-content" });
    const error = await say(connection).catch((reason: unknown) => reason);
    expect(JSON.stringify(error) + String(error)).toContain("content is None");
  });
});
