/**
 * The habits of Codex, as its requests show them: tools in namespaces and tools that it runs
 * itself, items without ids or with the calls beside their results, reasoning left out.
 */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { ScriptedReply } from "../../src/mock-engine/script.ts";
import { hangMs } from "../harness/time-limit.ts";
import { type AgentServer, inTurn, startAgentServer, turnIds } from "./agent-server.ts";

const exec = (cmd: string) => ({ name: "exec_command", arguments: JSON.stringify({ cmd }) });
const patch = "*** Begin Patch\n*** Add File: y.txt\n+hi\n*** End Patch\n";

/** What the model says, turn by turn. */
const model: readonly ScriptedReply[] = [
  { reasoning: "think 0", toolCalls: [exec("echo step0")] },
  { reasoning: "think 1", content: "Going on.\n", toolCalls: [exec("echo a"), exec("echo b")] },
  { toolCalls: [{ name: "mcp__db__lookup", arguments: '{"q": "x"}' }] },
  { toolCalls: [{ name: "edit", arguments: JSON.stringify({ input: patch }) }] },
  {
    content: "Now by the tools of its own.",
    toolCalls: [
      { name: "local_shell", arguments: '{"command": ["ls", "-l"], "timeout_ms": 1e3}' },
      { name: "apply_patch", arguments: '{"type": "delete_file", "path": "y.txt"}' },
      { name: "tool_search", arguments: '{"query": "calendar"}' },
    ],
  },
  { toolCalls: [{ name: "calendar__create", arguments: '{"day": 1}' }] },
  { reasoning: "fin", content: "All done." },
];

let server: AgentServer;

beforeAll(async () => {
  server = await startAgentServer({ reply: inTurn(model) });
}, hangMs);

afterAll(() => server.stop());

interface Item {
  readonly type: string;
  readonly [member: string]: unknown;
}

const found = {
  type: "namespace",
  name: "calendar",
  description: "Tools in the calendar namespace.",
  tools: [{ type: "function", name: "create", parameters: { type: "object" } }],
};

const tools = [
  { type: "function", name: "exec_command", strict: false, parameters: { type: "object" } },
  {
    type: "namespace",
    name: "mcp__db",
    description: "Tools in the mcp__db namespace.",
    tools: [{ type: "function", name: "lookup", parameters: { type: "object" } }],
  },
  {
    type: "custom",
    name: "edit",
    description: "Edits files.",
    format: { type: "grammar", syntax: "lark", definition: "start: begin_patch" },
  },
  { type: "local_shell" },
  { type: "apply_patch" },
  { type: "tool_search", execution: "client", description: "Finds tools.", parameters: {} },
  { type: "web_search", external_web_access: false },
];

/** The item of a call's result; null for an item that is no call. */
function resultOf(item: Item): Item | null {
  const { id, call_id } = item;
  switch (item.type) {
    case "function_call":
      return { type: "function_call_output", call_id, output: [{ type: "input_text", text: "r" }] };
    case "custom_tool_call":
      return { type: "custom_tool_call_output", call_id, output: "r" };
    case "local_shell_call":
      return { type: "local_shell_call_output", ...(id ? { id } : { call_id }), output: "r" };
    case "apply_patch_call":
      return { type: "apply_patch_call_output", call_id, status: "completed", output: "r" };
    case "tool_search_call":
      return { type: "tool_search_output", call_id, execution: "client", tools: [found] };
    default:
      return null;
  }
}

const resultsOf = (items: readonly Item[]) => items.flatMap((item) => resultOf(item) ?? []);

const withoutIds = (items: readonly Item[]): Item[] =>
  items.map(({ id: _id, status: _status, ...item }) => item as unknown as Item);

const paired = (items: readonly Item[]): Item[] =>
  items.flatMap((item) => [item, ...resultsOf([item])]);

/** How the items of a reply are sent back, results included. */
const habits: readonly [name: string, habit: (output: readonly Item[]) => readonly Item[]][] = [
  ["as it does", (output) => [...output, ...resultsOf(output)]],
  ["without ids", (output) => [...withoutIds(output), ...resultsOf(withoutIds(output))]],
  ["each call beside its result", paired],
  ["each call beside its result, without ids", (output) => paired(withoutIds(output))],
  [
    "reasoning left out",
    (output) => [...output.filter(({ type }) => type !== "reasoning"), ...resultsOf(output)],
  ],
  [
    "reasoning after the message",
    (output) => {
      const isLate = ({ type }: Item) => type === "reasoning";
      const ordered = [...output.filter((item) => !isLate(item)), ...output.filter(isLate)];
      return [...withoutIds(ordered), ...resultsOf(withoutIds(output))];
    },
  ],
];

async function ask(sessionId: string, input: readonly object[]) {
  const reply = await fetch(`${server.sessionUrl(sessionId)}/v1/responses`, {
    method: "POST",
    body: JSON.stringify({
      ...{ model: "m", store: false, include: ["reasoning.encrypted_content"] },
      ...{ tool_choice: "auto", parallel_tool_calls: true, reasoning: { summary: "auto" } },
      tools,
      input: [
        { type: "message", role: "developer", content: [{ type: "input_text", text: "Be good." }] },
        { type: "message", role: "user", content: [{ type: "input_text", text: "say hello" }] },
        ...input,
      ],
    }),
  });
  const text = await reply.text();
  expect([reply.status, text]).toEqual([200, expect.any(String)]);
  return JSON.parse(text).output as Item[];
}

describe("Codex that sends a reply back", () => {
  test.each(habits)("%s: the session holds every turn", async (_name, habit) => {
    const sessionId = await server.createSession();
    const input: object[] = [];
    const calls: Item[] = [];
    for (const _turn of model) {
      const output = await ask(sessionId, input);
      calls.push(...output.filter((item) => resultOf(item) !== null));
      input.push(...habit(output));
    }
    const dump = await server.dump(sessionId);
    const turns = turnIds(dump);
    expect(turns).toHaveLength(model.length);
    for (const [index, { prompt, completion }] of turns.entries()) {
      const next = turns[index + 1];
      const sampled = [...prompt, ...completion];
      if (next !== undefined) expect(next.prompt.slice(0, sampled.length)).toEqual(sampled);
    }
    expect(calls).toMatchObject([
      ...["echo step0", "echo a", "echo b"].map((cmd) => ({
        ...{ type: "function_call", name: "exec_command" },
        arguments: JSON.stringify({ cmd }),
      })),
      { type: "function_call", name: "lookup", namespace: "mcp__db", arguments: '{"q": "x"}' },
      { type: "custom_tool_call", name: "edit", input: patch },
      { type: "local_shell_call", action: { type: "exec", command: ["ls", "-l"] } },
      { type: "apply_patch_call", operation: { type: "delete_file", path: "y.txt" } },
      { type: "tool_search_call", execution: "client", arguments: { query: "calendar" } },
      { type: "function_call", name: "create", namespace: "calendar" },
    ]);
  });

  test("offers the model all that it runs, and none that runs at OpenAI", async () => {
    const sessionId = await server.createSession();
    await ask(sessionId, []);
    const [record] = (await server.dump(sessionId)).records;
    const offered = record?.request.tools as { function: { name: string } }[] | undefined;
    const names = offered?.map((tool) => tool.function.name);
    const own = ["local_shell", "apply_patch", "tool_search"];
    expect(names).toEqual(["exec_command", "mcp__db__lookup", "edit", ...own]);
  });
});
