/**
 * The habits of Claude Code, as its requests show them: who pays in front of the instructions, with
 * another hash each time; a system message among the others; arguments repaired and written anew;
 * results in the order in which they come.
 */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { ScriptedReply } from "../../src/mock-engine/script.ts";
import { hangMs } from "../harness/time-limit.ts";
import { type AgentServer, inTurn, startAgentServer, turnIds } from "./agent-server.ts";

const bash = (command: string) => ({
  name: "Bash",
  arguments: JSON.stringify({ command, description: "step" }),
});

const file = "/repo/x.txt";

/** What the model says, turn by turn. */
const model: readonly ScriptedReply[] = [
  { reasoning: "think 0", toolCalls: [bash("cd /repo && echo step0")] },
  {
    reasoning: "think 1\n",
    content: "\n\nGoing on. \n",
    toolCalls: [bash("cd /repo && echo a"), bash("cd /repo && echo b")],
  },
  {
    content: "Writing.",
    toolCalls: [
      { name: "Write", arguments: JSON.stringify({ file_path: file, content: "line  \n\n" }) },
    ],
  },
  { toolCalls: [{ name: "Edit", arguments: `{"file_path": "${file}", "replace_all": "false"}` }] },
  { toolCalls: [{ name: "Read", arguments: `{"file_path": "${file}", "limit": 1.0}` }] },
  { toolCalls: [{ name: "NoSuchTool", arguments: '{"a": 1e400, "b": "\\ud800"}' }] },
  { content: "\n" },
  { reasoning: "fin", content: "All done. \n" },
];

let server: AgentServer;

beforeAll(async () => {
  server = await startAgentServer({ reply: inTurn(model) });
}, hangMs);

afterAll(() => server.stop());

interface Block {
  readonly type: string;
  readonly [member: string]: unknown;
}

interface Message {
  readonly role: string;
  readonly content: string | readonly Block[];
}

/** How a reply is sent back: its messages, results included. */
type Habit = (content: readonly Block[]) => readonly Message[];

function rewritten(block: Block): Block {
  if (block.type !== "tool_use") return block;
  const input = Object.entries(block["input"] as object).map(([name, value]) => {
    if (name === "command") return [name, String(value).replace("cd /repo && ", "")];
    if (name === "content") return [name, String(value).replaceAll(/[ \t]+$/gm, "")];
    return name === "replace_all" ? [name, value === "true"] : [name, value];
  });
  return { ...block, input: Object.fromEntries(input) };
}

/** Cache marks move on with every request. */
function cached(blocks: readonly Block[]): Block[] {
  const last = blocks.length - 1;
  return blocks.map((block, index) =>
    index === last ? { ...block, cache_control: { type: "ephemeral" } } : block,
  );
}

const assistant = (content: readonly Block[]): Message => ({ role: "assistant", content });

function resultsOf(content: readonly Block[]): Message[] {
  const results = content
    .filter(({ type }) => type === "tool_use")
    .map(({ id }) => ({ type: "tool_result", tool_use_id: id, content: `of ${id}` }));
  return results.length === 0
    ? [{ role: "user", content: [{ type: "text", text: "go on" }] }]
    : [{ role: "user", content: cached(results.reverse()) }];
}

const habits: readonly [name: string, habit: Habit][] = [
  ["as it does", (content) => [assistant(content.map(rewritten)), ...resultsOf(content)]],
  [
    "with thinking dropped",
    (content) => [
      assistant(content.filter(({ type }) => type !== "thinking").map(rewritten)),
      ...resultsOf(content),
    ],
  ],
  [
    "with a word for empty text",
    (content) => {
      const isSilent = content.every(({ text }) => String(text ?? "").trim() === "");
      const isCall = content.some(({ type }) => type === "tool_use");
      const silence = [{ type: "text", text: "(no content)" }];
      return [
        assistant(isSilent && !isCall ? silence : content.map(rewritten)),
        ...resultsOf(content),
      ];
    },
  ],
  [
    "a message for each block",
    (content) => [...content.map((block) => assistant([rewritten(block)])), ...resultsOf(content)],
  ],
  [
    "each call beside its result",
    (content) => {
      const calls = content.filter(({ type }) => type === "tool_use");
      if (calls.length === 0) return [assistant(content), ...resultsOf(content)];
      const rest = content.filter(({ type }) => type !== "tool_use");
      return calls.flatMap((call, index) => [
        assistant([...(index === 0 ? rest : []), rewritten(call)]),
        ...resultsOf([call]),
      ]);
    },
  ],
];

function requestOf(messages: readonly Message[], turnIndex: number): object {
  const environment = "# Environment\nYou are in /repo.";
  return {
    model: "m",
    max_tokens: 1000,
    stream: false,
    system: [
      {
        type: "text",
        text: `x-anthropic-billing-header: cc_version=2.1.177; cch=${turnIndex.toString(16)}f3a0;`,
      },
      ...cached([{ type: "text", text: "You are an agent." }]),
    ],
    messages: [
      { role: "user", content: [{ type: "text", text: "say hello" }] },
      // A list in the first request, a string from then on.
      {
        role: "system",
        content: turnIndex === 0 ? [{ type: "text", text: environment }] : environment,
      },
      ...messages,
    ],
    tools: ["Bash", "Write", "Edit", "Read"].map((name) => ({
      name,
      description: name,
      input_schema: { type: "object", properties: {} },
    })),
    metadata: { user_id: "u" },
    thinking: { type: "adaptive" },
    context_management: { edits: [{ type: "clear_thinking_20251015", keep: "all" }] },
    output_config: { effort: "high" },
  };
}

async function ask(sessionId: string, path: string, body: object) {
  const reply = await fetch(`${server.sessionUrl(sessionId)}/v1/${path}?beta=true`, {
    method: "POST",
    body: JSON.stringify(body),
  });
  const text = await reply.text();
  expect([reply.status, text]).toEqual([200, expect.any(String)]);
  return JSON.parse(text);
}

describe("Claude Code that sends a reply back", () => {
  test.each(habits)("%s: the session holds every turn", async (_name, habit) => {
    const sessionId = await server.createSession();
    const messages: Message[] = [];
    for (const turnIndex of model.keys()) {
      const request = requestOf(messages, turnIndex);
      const counted = await ask(sessionId, "messages/count_tokens", request);
      const reply = await ask(sessionId, "messages", request);
      expect(counted.input_tokens).toBe(reply.usage.input_tokens);
      messages.push(...habit(reply.content));
    }
    const turns = turnIds(await server.dump(sessionId));
    expect(turns).toHaveLength(model.length);
    for (const [index, { prompt, completion }] of turns.entries()) {
      const next = turns[index + 1];
      const sampled = [...prompt, ...completion];
      if (next !== undefined) expect(next.prompt.slice(0, sampled.length)).toEqual(sampled);
    }
    const reply = await fetch(`${server.sessionUrl(sessionId)}/summary`);
    expect(((await reply.json()) as { turns: unknown[] }).turns).toHaveLength(model.length);
  });

  test("in another conversation is told so, and the turn stays", async () => {
    const sessionId = await server.createSession();
    const first = requestOf([], 0);
    const { content } = await ask(sessionId, "messages", first);
    const messages = [assistant(content), ...resultsOf(content)];
    const other = { ...requestOf(messages, 1), system: "You write titles." };
    const refused = await fetch(`${server.sessionUrl(sessionId)}/v1/messages`, {
      method: "POST",
      body: JSON.stringify(other),
    });
    expect([refused.status, await refused.text()]).toEqual([
      400,
      expect.stringContaining("its message at index 0 (role 'system') is not the one"),
    ]);
    await ask(sessionId, "messages", requestOf(messages, 1));
    expect(turnIds(await server.dump(sessionId))).toHaveLength(2);
  });
});
