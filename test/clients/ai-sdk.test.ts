/**
 * npm ai, the Vercel AI SDK, with its OpenAI and Anthropic providers against a session.
 */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { createAnthropic } from "@ai-sdk/anthropic";
import { createOpenAI } from "@ai-sdk/openai";
import {
  APICallError,
  generateText,
  jsonSchema,
  type LanguageModel,
  type ModelMessage,
  stepCountIs,
  streamText,
  tool,
} from "ai";
import { hangMs } from "../harness/time-limit.ts";
import {
  type AgentServer,
  expectWholeConversation,
  questions,
  startAgentServer,
  systemPrompt,
  toolResults,
  tools,
} from "./agent-server.ts";

let server: AgentServer;

beforeAll(async () => {
  // Its chat provider leaves reasoning out of what it sends back.
  server = await startAgentServer({ flags: ["--session-message-matcher", "role_content_only"] });
}, hangMs);

afterAll(() => server.stop());

type ModelAt = (baseURL: string, options?: { fetch: ProviderFetch }) => LanguageModel;

const apiKey = "unused";
const providers: [string, ModelAt][] = [
  ["OpenAI, chat", (baseURL, more) => createOpenAI({ apiKey, baseURL, ...more }).chat("m")],
  ["OpenAI, responses", (baseURL, more) => createOpenAI({ apiKey, baseURL, ...more })("m")],
  ["Anthropic", (baseURL, more) => createAnthropic({ apiKey, baseURL, ...more })("m")],
];

const agentTools = Object.fromEntries(
  tools.map(({ name, description, parameters }) => [
    name,
    tool({
      description,
      inputSchema: jsonSchema<Record<string, unknown>>({ ...parameters } as never),
      execute: async (input) => toolResults[name]?.(input) ?? "",
    }),
  ]),
);

interface Step {
  readonly text: string;
  readonly messages: readonly ModelMessage[];
}

type Run = (model: LanguageModel, messages: ModelMessage[]) => Promise<Step>;

const ways: [string, Run][] = [
  [
    "whole",
    async (model, messages) => {
      const result = await generateText(settings(model, messages));
      return { text: result.text, messages: result.responseMessages };
    },
  ],
  [
    "streamed",
    async (model, messages) => {
      const result = streamText(settings(model, messages));
      return { text: await result.text, messages: await result.responseMessages };
    },
  ],
];

function settings(model: LanguageModel, messages: ModelMessage[]) {
  return {
    model,
    messages,
    system: systemPrompt,
    tools: agentTools,
    maxOutputTokens: 1000,
    stopWhen: stepCountIs(5),
    maxRetries: 0,
  };
}

type ProviderFetch = NonNullable<NonNullable<Parameters<typeof createOpenAI>[0]>["fetch"]>;

/** Loses the first reply on its way back. */
function losesOne(): { fetch: ProviderFetch; attempts: () => number } {
  let attempts = 0;
  const lossy = async (input: string | URL | Request, init?: RequestInit) => {
    attempts += 1;
    const reply = await fetch(input, init);
    if (attempts > 1) return reply;
    await reply.arrayBuffer();
    throw Object.assign(new TypeError("fetch failed"), { cause: new Error("connection reset") });
  };
  return { fetch: lossy as unknown as ProviderFetch, attempts: () => attempts };
}

test(
  "a reply that was lost is asked for again, and takes the place of the first",
  async () => {
    await Promise.all(
      providers.map(async ([name, modelAt]) => {
        const sessionId = await server.createSession();
        const lossy = losesOne();
        const model = modelAt(`${server.sessionUrl(sessionId)}/v1`, { fetch: lossy.fetch });
        const { steps } = await generateText({ ...settings(model, asked), maxRetries: 1 });
        expect([name, lossy.attempts(), steps.length]).toEqual([name, 4, 3]);
        const { records } = await server.dump(sessionId);
        expect([name, records.length]).toEqual([name, 3]);
      }),
    );
  },
  hangMs,
);

const asked: ModelMessage[] = [{ role: "user", content: questions[0] }];

describe.each(providers)("%s", (_provider, modelAt) => {
  test("an error of the server is an API error with its status and sentence", async () => {
    const model = modelAt(`${server.sessionUrl("nobody")}/v1`);
    const error = await generateText(settings(model, asked)).catch((reason: unknown) => reason);
    expect(APICallError.isInstance(error)).toBe(true);
    expect(error).toMatchObject({ statusCode: 404 });
    expect((error as APICallError).responseBody).toContain("session not found: session_id=nobody");
  });

  test.each(ways)("an agent with tools, replies %s", async (_way, run) => {
    const sessionId = await server.createSession();
    const model = modelAt(`${server.sessionUrl(sessionId)}/v1`);
    const messages: ModelMessage[] = [];
    const texts: string[] = [];
    for (const content of questions) {
      messages.push({ role: "user", content });
      const step = await run(model, messages);
      texts.push(step.text.trim());
      messages.push(...step.messages);
    }
    expect(texts).toEqual(["The sum is large.", "You are welcome."]);
    await expectWholeConversation(server, sessionId);
  });
});
