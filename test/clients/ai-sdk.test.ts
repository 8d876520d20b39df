/**
 * npm ai, the Vercel AI SDK, with its OpenAI and Anthropic providers against a session.
 */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { createAnthropic } from "@ai-sdk/anthropic";
import { createOpenAI } from "@ai-sdk/openai";
import {
  generateText,
  jsonSchema,
  type LanguageModel,
  type ModelMessage,
  stepCountIs,
  streamText,
  tool,
} from "ai";
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
}, 30_000);

afterAll(() => server.stop());

const providers: [string, (baseURL: string) => LanguageModel][] = [
  ["OpenAI, chat", (baseURL) => createOpenAI({ apiKey: "unused", baseURL }).chat("m")],
  ["OpenAI, responses", (baseURL) => createOpenAI({ apiKey: "unused", baseURL }).responses("m")],
  ["Anthropic", (baseURL) => createAnthropic({ apiKey: "unused", baseURL })("m")],
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

describe.each(providers)("%s", (_provider, modelAt) => {
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
