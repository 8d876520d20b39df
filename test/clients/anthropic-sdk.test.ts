/**
 * npm @anthropic-ai/sdk against a session.
 */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import Anthropic from "@anthropic-ai/sdk";
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
  server = await startAgentServer();
}, hangMs);

afterAll(() => server.stop());

const anthropicTools: Anthropic.Tool[] = tools.map(({ name, description, parameters }) => ({
  name,
  description,
  input_schema: parameters,
}));

function clientOf(sessionId: string, options: { maxRetries?: number } = {}): Anthropic {
  return new Anthropic({ apiKey: "unused", baseURL: server.sessionUrl(sessionId), ...options });
}

type Ask = (
  client: Anthropic,
  body: Anthropic.MessageCreateParamsNonStreaming,
) => Promise<Anthropic.Message>;

const ways: [string, Ask][] = [
  ["whole", (client, body) => client.messages.create(body)],
  ["streamed", (client, body) => client.messages.stream(body).finalMessage()],
];

/** What an agent sends back of a reply. */
const habits: [string, (content: Anthropic.ContentBlock[]) => Anthropic.ContentBlockParam[]][] = [
  ["all of it", (content) => content as Anthropic.ContentBlockParam[]],
  [
    "no thinking",
    (content) => content.filter(({ type }) => type !== "thinking") as Anthropic.ContentBlockParam[],
  ],
  [
    "with cache_control, and text trimmed",
    (content) =>
      content.map((block) =>
        block.type === "text"
          ? { type: "text", text: block.text.trim(), cache_control: { type: "ephemeral" } }
          : (block as Anthropic.ContentBlockParam),
      ),
  ],
];

describe.each(ways)("an agent with tools, replies %s", (_way, ask) => {
  test.each(habits)("that sends back %s", async (_habit, sentBack) => {
    const sessionId = await server.createSession();
    const client = clientOf(sessionId);
    const messages: Anthropic.MessageParam[] = [];
    const replies: Anthropic.Message[] = [];
    for (const question of questions) {
      messages.push({ role: "user", content: question });
      for (;;) {
        const body = {
          model: "m",
          max_tokens: 1000,
          system: [{ type: "text" as const, text: systemPrompt }],
          tools: anthropicTools,
        };
        const counted = await client.messages.countTokens({ ...body, messages } as never);
        const reply = await ask(client, { ...body, messages });
        expect(reply.usage.input_tokens).toBe(counted.input_tokens);
        replies.push(reply);
        messages.push({ role: "assistant", content: sentBack(reply.content) });
        if (reply.stop_reason !== "tool_use") break;
        messages.push({ role: "user", content: results(reply) });
      }
    }
    expect(replies.map(({ stop_reason }) => stop_reason)).toEqual([
      "tool_use",
      "tool_use",
      "end_turn",
      "end_turn",
    ]);
    expect(replies[0]?.content).toMatchObject([
      { type: "thinking", thinking: "Two files may hold the numbers." },
      { type: "text", text: "Let me look." },
      { type: "tool_use", name: "read_file", input: { path: "a.txt" } },
      { type: "tool_use", name: "read_file", input: { path: "b.txt" } },
    ]);
    await expectWholeConversation(server, sessionId);
  });
});

function results(reply: Anthropic.Message): Anthropic.ToolResultBlockParam[] {
  return reply.content
    .filter((block): block is Anthropic.ToolUseBlock => block.type === "tool_use")
    .map(({ id, name, input }) => ({
      type: "tool_result",
      tool_use_id: id,
      content: [
        { type: "text", text: toolResults[name]?.(input as Record<string, unknown>) ?? "" },
      ],
    }));
}
