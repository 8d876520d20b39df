/**
 * A session server with two workers over a mock engine that plays a model with tools, and the one
 * conversation that every client is driven through.
 *
 * Contract   the model calls two tools at once, then a third whose arguments no client keeps as
 *            they were written, then answers, twice. What it says depends on the conversation
 *            alone, so that two clients that say the same get the same tokens.
 */
import { expect } from "bun:test";
import { type MockEngine, startMockEngine } from "../../src/mock-engine/engine.ts";
import type { ChatTurn, ScriptedReply } from "../../src/mock-engine/script.ts";
import { checkpointDirectory } from "../fixtures/checkpoints.ts";
import { type ServerProcess, startServer } from "../harness/server-process.ts";

export interface AgentServer {
  readonly url: string;
  readonly engine: MockEngine;
  createSession(settings?: object): Promise<string>;
  /** Base URL of a session, without "/v1". */
  sessionUrl(sessionId: string): string;
  dump(sessionId: string): Promise<SessionDump>;
  stop(): Promise<void>;
}

export interface SessionDump {
  readonly records: {
    readonly request: {
      readonly input_ids: number[];
      readonly messages: Record<string, unknown>[];
      readonly tools?: unknown;
      readonly [member: string]: unknown;
    };
    readonly response: { readonly choices: { readonly meta_info: MetaInfo }[] };
  }[];
  readonly metadata: {
    readonly accumulated_token_ids: number[];
    readonly tito_session_mismatch: unknown[];
    readonly session_metadata?: unknown;
  };
}

interface MetaInfo {
  readonly output_token_logprobs: [number, number, null][];
}

/**
 * A model that gives these replies in turn to each session. It counts what it was asked, since a
 * client may send one reply back as several messages.
 */
export function inTurn(replies: readonly ScriptedReply[]): (turn: ChatTurn) => ScriptedReply {
  const asked = new Map<string, number>();
  return ({ routingKey }) => {
    const turnIndex = asked.get(routingKey) ?? 0;
    asked.set(routingKey, turnIndex + 1);
    return replies[turnIndex] ?? {};
  };
}

/** What the model says, turn by turn. */
export const script: readonly ScriptedReply[] = [
  {
    reasoning: "Two files may hold the numbers.",
    content: "Let me look.",
    toolCalls: [
      { name: "read_file", arguments: '{"path": "a.txt"}' },
      { name: "read_file", arguments: '{"path": "b.txt"}' },
    ],
  },
  {
    reasoning: "Now add them.",
    content: "\n\n",
    toolCalls: [{ name: "add", arguments: '{"b": 12345678901234567890, "a": 1.0}' }],
  },
  { reasoning: "That was it.", content: "The sum is large.\n" },
  { content: "You are welcome." },
];

export const questions = ["What is the sum?", "Thank you."] as const;
export const systemPrompt = "You add numbers.";

/** Results of the tools, by name. */
export const toolResults: Readonly<Record<string, (input: Record<string, unknown>) => string>> = {
  read_file: ({ path }) => (path === "a.txt" ? "1" : "12345678901234567890"),
  add: () => "12345678901234567891",
};

export interface ToolDescription {
  readonly name: string;
  readonly description: string;
  readonly parameters: {
    readonly type: "object";
    readonly properties: Record<string, { readonly type: string }>;
    readonly required: string[];
  };
}

export const tools: readonly ToolDescription[] = [
  {
    name: "read_file",
    description: "Reads a file.",
    parameters: { type: "object", properties: { path: { type: "string" } }, required: ["path"] },
  },
  {
    name: "add",
    description: "Adds two numbers.",
    parameters: {
      type: "object",
      properties: { a: { type: "number" }, b: { type: "number" } },
      required: ["a", "b"],
    },
  },
];

export const chatTools = tools.map((tool) => ({ type: "function" as const, function: tool }));

export interface AgentServerOptions {
  /** Flags of the server besides those that every test needs. */
  readonly flags?: readonly string[];
  readonly reply?: (turn: ChatTurn) => ScriptedReply | Promise<ScriptedReply>;
}

export async function startAgentServer(options: AgentServerOptions = {}): Promise<AgentServer> {
  const hfCheckpoint = checkpointDirectory("qwen3");
  const engine = await startMockEngine({
    hfCheckpoint,
    ...(options.reply === undefined ? { script } : { reply: options.reply }),
  });
  const server: ServerProcess = await startServer([
    ...["--port", "0", "--workers", "2", "--backend-url", engine.url],
    ...["--tito-model", "qwen3", "--hf-checkpoint", hfCheckpoint],
    ...["--use-rollout-routing-replay", "--log-level", "error", ...(options.flags ?? [])],
  ]);
  const sessionUrl = (sessionId: string) => `${server.url}/sessions/${sessionId}`;
  return {
    url: server.url,
    engine,
    sessionUrl,
    async createSession(settings) {
      const body = settings === undefined ? null : JSON.stringify(settings);
      const reply = await fetch(`${server.url}/sessions`, { method: "POST", body });
      expect(reply.status).toBe(200);
      return ((await reply.json()) as { session_id: string }).session_id;
    },
    async dump(sessionId) {
      return (await (await fetch(sessionUrl(sessionId))).json()) as SessionDump;
    },
    async stop() {
      expect([await server.stop(), server.log()]).toEqual([0, ""]);
      engine.stop();
    },
  };
}

/** The turns of a session as a trainer sees them: prompt and completion of each. */
export function turnIds({ records }: SessionDump): { prompt: number[]; completion: number[] }[] {
  return records.map(({ request, response }) => ({
    prompt: request.input_ids,
    completion: (response.choices[0]?.meta_info.output_token_logprobs ?? []).map(([, id]) => id),
  }));
}

/**
 * Checks that a session holds the whole conversation, each prompt begun by what was sampled before
 * it, and the very tokens that plain HTTP gets for the same tools.
 */
export async function expectWholeConversation(
  server: AgentServer,
  sessionId: string,
): Promise<void> {
  const dump = await server.dump(sessionId);
  const turns = turnIds(dump);
  expect(turns).toHaveLength(script.length);
  for (const [index, { prompt, completion }] of turns.entries()) {
    const next = turns[index + 1]?.prompt ?? dump.metadata.accumulated_token_ids;
    // The family may drop the last id of a turn at the junction and add its own.
    const sampled = [...prompt, ...completion];
    expect(next.slice(0, sampled.length)).toEqual(sampled);
  }
  const tokens = await referenceTurns(server, dump.records[0]?.request.tools ?? null);
  expect(turns).toEqual(tokens);
}

/** The same conversation over plain HTTP: whole messages are sent back as they came. */
async function referenceTurns(server: AgentServer, requestTools: unknown) {
  const sessionId = await server.createSession();
  const messages: Record<string, unknown>[] = [{ role: "system", content: systemPrompt }];
  const results = toolResults;
  for (const question of questions) {
    messages.push({ role: "user", content: question });
    for (;;) {
      const reply = await fetch(`${server.sessionUrl(sessionId)}/v1/chat/completions`, {
        method: "POST",
        body: JSON.stringify({ model: "m", messages, tools: requestTools }),
      });
      const text = await reply.text();
      if (!reply.ok) throw new Error(text);
      const { message } = JSON.parse(text).choices[0];
      messages.push(message);
      if (!message.tool_calls?.length) break;
      for (const call of message.tool_calls) {
        const result = results[call.function.name]?.(JSON.parse(call.function.arguments));
        messages.push({ role: "tool", tool_call_id: call.id, content: result });
      }
    }
  }
  return turnIds(await server.dump(sessionId));
}
