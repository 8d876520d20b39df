import { describe, expect, test } from "bun:test";
import { type DeepseekV4Options, encodeDeepseekV4 } from "../../../src/tito/deepseek/v4-encoder.ts";
import { maximumEffort } from "../../../src/tito/deepseek/v4-text.ts";
import { RenderError } from "../../../src/tito/render-error.ts";
import { objects } from "../../fixtures/json.ts";

const keepThinking: DeepseekV4Options = {
  thinking: true,
  dropThinking: false,
  addBeginOfSentence: false,
  maximumEffort: false,
};

function encode(messages: string, changes: Partial<DeepseekV4Options> = {}): string {
  return encodeDeepseekV4(objects(messages), { ...keepThinking, ...changes });
}

const end = "<｜end▁of▁sentence｜>";

const twoTurns = `[
  {"role": "developer", "content": "d"},
  {"role": "assistant", "content": "b", "reasoning_content": "r"},
  {"role": "user", "content": "c"}
]`;

describe("encodeDeepseekV4() thinking", () => {
  test("is kept everywhere unless it is dropped", () => {
    expect(encode(twoTurns)).toBe(
      `<｜User｜>d<｜Assistant｜><think>r</think>b${end}<｜User｜>c<｜Assistant｜><think>`,
    );
  });

  test("is dropped before the last user message, with developer messages", () => {
    expect(encode(twoTurns, { dropThinking: true })).toBe(
      `b${end}<｜User｜>c<｜Assistant｜><think>`,
    );
  });

  test("is never dropped once there are tools", () => {
    const withTools = twoTurns.replace(
      '"d"}',
      '"d", "tools": [{"function": {"name": "f", "n": 1.0}}]}',
    );
    const text = encode(withTools, { dropThinking: true });
    expect(text).toContain("<think>r</think>b");
    expect(text).toContain('\n\n### Available Tool Schemas\n\n{"name": "f", "n": 1.0}\n\nYou MUST');
  });

  test("is closed at once in chat mode", () => {
    expect(encode(twoTurns, { thinking: false })).toBe(
      `<｜User｜>d<｜Assistant｜></think>b${end}<｜User｜>c<｜Assistant｜></think>`,
    );
  });

  test("is asked for in front of everything, in thinking mode only", () => {
    const user = '[{"role": "user", "content": "c"}]';
    const most = { maximumEffort: true, addBeginOfSentence: true };
    expect(encode(user, most)).toStartWith(`<｜begin▁of▁sentence｜>${maximumEffort}<｜User｜>c`);
    expect(encode(user, { ...most, thinking: false })).not.toContain("Effort");
  });
});

describe("encodeDeepseekV4() turns", () => {
  test("write calls with raw texts, JSON for the rest, and text that is no JSON as one argument", () => {
    const messages = `[{"role": "assistant", "content": "a", "tool_calls": [
      {"function": {"name": "f", "arguments": "{\\"x\\": 1.0, \\"s\\": \\"<&\\"}"}},
      {"function": {"name": "g", "arguments": "oops"}},
      {"function": {"name": "h", "arguments": [1]}}]}]`;
    expect(encode(messages)).toBe(
      "</think>a\n\n<｜DSML｜tool_calls>\n" +
        '<｜DSML｜invoke name="f">\n' +
        '<｜DSML｜parameter name="x" string="false">1.0</｜DSML｜parameter>\n' +
        '<｜DSML｜parameter name="s" string="true"><&</｜DSML｜parameter>\n' +
        '</｜DSML｜invoke>\n<｜DSML｜invoke name="g">\n' +
        '<｜DSML｜parameter name="arguments" string="true">oops</｜DSML｜parameter>\n' +
        '</｜DSML｜invoke>\n<｜DSML｜invoke name="h">\n' +
        '<｜DSML｜parameter name="arguments" string="false">[1]</｜DSML｜parameter>\n' +
        `</｜DSML｜invoke>\n</｜DSML｜tool_calls>${end}`,
    );
  });

  test("open the answer only where one follows", () => {
    const messages = `[{"role": "user", "content": "a"}, {"role": "system", "content": "s"},
      {"role": "user", "content": "b"}, {"role": "latest_reminder", "content": "r"},
      {"role": "assistant", "content": "c", "wo_eos": true}]`;
    expect(encode(messages)).toBe(
      "<｜User｜>as<｜User｜>b<｜Assistant｜><think><｜latest_reminder｜>r</think>c",
    );
  });

  test("ask for tasks, whose answers have no thinking", () => {
    const asked = (task: string) =>
      encode(`[{"role": "user", "content": "a", "task": "${task}"},
        {"role": "assistant", "content": "x", "reasoning_content": "r"}]`);
    expect(asked("title")).toBe(`<｜User｜>a<｜title｜>x${end}`);
    expect(asked("action")).toBe(`<｜User｜>a<｜Assistant｜><think><｜action｜>x${end}`);
  });

  test("append the format of the reply", () => {
    expect(encode('[{"role": "system", "content": "s", "response_format": {"a": 1}}]')).toBe(
      "s\n\n## Response Format:\n\nYou MUST strictly adhere to the following schema to reply:\n" +
        '{"a": 1}',
    );
  });
});

describe("encodeDeepseekV4() refuses", () => {
  const cases: [messages: string, reason: string][] = [
    ['[{"role": "critic"}]', ".role is critic, which the DeepSeek V4 encoder does not know"],
    ['[{"role": "developer", "content": ""}]', " is a developer message, whose content must be"],
    ['[{"role": "system", "tools": 1}]', ".tools must be a list"],
    ['[{"role": "user", "content": "", "task": "x"}]', ".task is x; the tasks are action, query"],
    [
      '[{"role": "assistant", "tool_calls": [{}]}]',
      '.tool_calls[0].function must be an object with "name" and "arguments"',
    ],
    [
      '[{"role": "assistant", "tool_calls": [{"function": {"name": "f", "arguments": "[]"}}]}]',
      ".tool_calls[0].function.arguments must be a JSON object",
    ],
  ];
  for (const [messages, reason] of cases) {
    test(messages, () => {
      expect(() => encode(messages)).toThrow(RenderError);
      expect(() => encode(messages)).toThrow(reason);
    });
  }
});
