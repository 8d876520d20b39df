import { describe, expect, test } from "bun:test";
import { callItem, readCallItem } from "../../../src/protocols/openai-responses/call-items.ts";
import { readTools } from "../../../src/protocols/openai-responses/tools.ts";
import { jsonObject, plain, turnId } from "../answers.ts";

const { offered } = readTools(
  [
    { type: "namespace", name: "mcp__db", tools: [{ type: "function", name: "lookup" }] },
    { type: "namespace", name: "code", tools: [{ type: "custom", name: "run" }] },
    { type: "custom", name: "patch" },
    { type: "local_shell" },
    { type: "tool_search", execution: "client" },
  ].map(jsonObject),
);

const noTurns = { messagesThrough: () => null };

const item = (name: string, argumentsText: string) =>
  callItem({ id: "c1", name, argumentsText }, turnId, 3, offered.get(name));

const common = { status: "completed", call_id: "c1" };

describe("callItem()", () => {
  test.each([
    ["f", '{"a": 1}', { type: "function_call", name: "f", arguments: '{"a": 1}' }, "fc"],
    [
      "mcp__db__lookup",
      '{"q": "x"}',
      { type: "function_call", name: "lookup", namespace: "mcp__db", arguments: '{"q": "x"}' },
      "fc",
    ],
    [
      "code__run",
      '{"input": "x"}',
      { type: "custom_tool_call", name: "run", namespace: "code", input: "x" },
      "ctc",
    ],
    ["patch", '{"input": "x"}', { type: "custom_tool_call", name: "patch", input: "x" }, "ctc"],
    [
      "local_shell",
      '{"command": ["ls"]}',
      { type: "local_shell_call", action: { type: "exec", env: {}, command: ["ls"] } },
      "lsh",
    ],
    [
      "tool_search",
      '{"query": "x"}',
      { type: "tool_search_call", execution: "client", arguments: { query: "x" } },
      "tsc",
    ],
    [
      "local_shell",
      '{"command": 7}',
      { type: "function_call", name: "local_shell", arguments: '{"command": 7}' },
      "fc",
    ],
  ])("of %s with %s", (name, args, expected, prefix) => {
    const id = `${prefix}_${turnId}_3`;
    expect(plain(item(name, args))).toEqual({ id, ...common, ...expected });
  });
});

test.each([
  ["f", '{"a": 1}'],
  ["mcp__db__lookup", '{"q": "x"}'],
  ["code__run", '{"input":"x"}'],
  ["tool_search", '{"query":"x"}'],
])("readCallItem() undoes callItem() of %s", (name, args) => {
  const read = readCallItem(item(name, args), "input[0]", noTurns);
  expect(plain(read)).toEqual({ id: "c1", type: "function", function: { name, arguments: args } });
});
