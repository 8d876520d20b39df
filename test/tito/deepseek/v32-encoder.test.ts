import { describe, expect, test } from "bun:test";
import { parseJson } from "../../../src/json/lossless.ts";
import type { JsonObject } from "../../../src/json/values.ts";
import {
  type DeepseekV32Options,
  encodeDeepseekV32,
} from "../../../src/tito/deepseek/v32-encoder.ts";
import { RenderError } from "../../../src/tito/render-error.ts";

const keepThinking: DeepseekV32Options = {
  thinking: true,
  dropThinking: false,
  addBeginOfSentence: false,
};

function encode(json: string, changes: Partial<DeepseekV32Options> = {}): string {
  return encodeDeepseekV32(parseJson(json) as JsonObject[], { ...keepThinking, ...changes });
}

const twoTurns = `[
  {"role": "user", "content": "a"},
  {"role": "assistant", "content": "b", "reasoning_content": "r"},
  {"role": "user", "content": "c"},
  {"role": "assistant", "content": "d", "reasoning_content": "s"}
]`;

describe("encodeDeepseekV32() thinking", () => {
  test("is kept everywhere unless it is dropped", () => {
    expect(encode(twoTurns)).toBe(
      "<｜User｜>a<｜Assistant｜><think>r</think>b<｜end▁of▁sentence｜>" +
        "<｜User｜>c<｜Assistant｜><think>s</think>d<｜end▁of▁sentence｜>",
    );
  });

  test("is dropped before the last user message", () => {
    expect(encode(twoTurns, { dropThinking: true })).toBe(
      "<｜User｜>a<｜Assistant｜></think>b<｜end▁of▁sentence｜>" +
        "<｜User｜>c<｜Assistant｜><think>s</think>d<｜end▁of▁sentence｜>",
    );
  });

  test("is closed at once in chat mode", () => {
    expect(encode('[{"role": "user", "content": "a"}]', { thinking: false })).toBe(
      "<｜User｜>a<｜Assistant｜></think>",
    );
  });
});

describe("encodeDeepseekV32() messages", () => {
  test("writes calls with raw texts and JSON for the rest, and results in one block", () => {
    const messages = `[
      {"role": "assistant", "content": null, "tool_calls": [
        {"function": {"name": "f", "arguments": "{\\"10\\": 1.0, \\"s\\": \\"<&\\\\n\\"}"}},
        {"function": {"name": "g", "arguments": {"l": [null, "é"]}}}]},
      {"role": "tool", "content": "x"}, {"role": "tool", "content": null}]`;
    expect(encode(messages)).toBe(
      "</think>\n\n<｜DSML｜function_calls>\n" +
        '<｜DSML｜invoke name="f">\n' +
        '<｜DSML｜parameter name="10" string="false">1.0</｜DSML｜parameter>\n' +
        '<｜DSML｜parameter name="s" string="true"><&\n</｜DSML｜parameter>\n' +
        "</｜DSML｜invoke>\n" +
        '<｜DSML｜invoke name="g">\n' +
        '<｜DSML｜parameter name="l" string="false">[null, "é"]</｜DSML｜parameter>\n' +
        "</｜DSML｜invoke>\n</｜DSML｜function_calls><｜end▁of▁sentence｜>" +
        "\n\n<function_results>\n<result>x</result>\n<result>None</result>\n</function_results>" +
        "\n\n<think>",
    );
  });

  test("puts tools and the response format after a system message", () => {
    const text = encode(`[{"role": "system", "content": "S", "response_format": {"a": 1},
      "tools": [{"function": {"name": "f"}}, {"function": {"name": "g"}}]}]`);
    expect(text).toStartWith("S\n\n## Tools\nYou have access to a set of tools");
    expect(text).toContain('<functions>\n{"name": "f"}\n{"name": "g"}\n</functions>\n\n\n##');
    expect(text).toEndWith("the following schema to reply:\n" + '{"a": 1}');
  });

  test("writes a developer message as a user's with a heading", () => {
    expect(encode('[{"role": "developer", "content": "D"}]')).toBe(
      "<｜User｜>\n\n# The user's message is: D<｜Assistant｜><think>",
    );
  });

  test("begins with the begin-of-sentence token when asked to", () => {
    expect(encode('[{"role": "system", "content": "S"}]', { addBeginOfSentence: true })).toBe(
      "<｜begin▁of▁sentence｜>S",
    );
  });
});

describe("encodeDeepseekV32() refuses", () => {
  const assistant = (calls: string) => `{"role": "assistant", "tool_calls": ${calls}}`;
  const cases: [title: string, messages: string, index: number, reason: string][] = [
    ["an unknown role", '[{"role": "critic"}]', 0, ".role is critic"],
    ["no role", "[{}]", 0, ".role is None"],
    ["an empty developer message", '[{"role": "developer"}]', 0, "developer message without"],
    [
      "a result after a user",
      '[{"role": "user"}, {"role": "tool"}]',
      1,
      "follows no assistant message",
    ],
    [
      "more results than calls",
      `[${assistant('[{"function": {"name": "f", "arguments": {}}}]')},
        {"role": "tool"}, {"role": "tool"}]`,
      2,
      "without a tool call that it answers",
    ],
    ["calls that are no list", `[${assistant('"x"')}]`, 0, ".tool_calls must be a list"],
    [
      "a call without a name",
      `[${assistant('[{"function": {"arguments": {}}}]')}]`,
      0,
      '.tool_calls[0].function must be an object with "name" and "arguments"',
    ],
    [
      "arguments that are no object",
      `[${assistant('[{"function": {"name": "f", "arguments": "[1]"}}]')}]`,
      0,
      ".tool_calls[0].function.arguments must be a JSON object",
    ],
    [
      "arguments that are no JSON",
      `[${assistant('[{"function": {"name": "f", "arguments": "{"}}]')}]`,
      0,
      ".tool_calls[0].function.arguments is not valid JSON",
    ],
    ["tools without function", '[{"role": "system", "tools": [{}]}]', 0, ".tools[0] must be"],
  ];
  for (const [title, messages, index, reason] of cases) {
    test(title, () => {
      try {
        encode(messages);
        throw new Error("nothing was thrown");
      } catch (error) {
        expect(error).toBeInstanceOf(RenderError);
        expect((error as RenderError).messageIndex).toBe(index);
        expect((error as RenderError).message).toContain(reason);
      }
    });
  }

  test("an answer without thinking after the last user message, when thinking is dropped", () => {
    const messages = '[{"role": "user", "content": "a"}, {"role": "assistant", "content": "b"}]';
    expect(() => encode(messages, { dropThinking: true })).toThrow("neither reasoning_content");
    expect(encode(messages)).toEndWith("<think></think>b<｜end▁of▁sentence｜>");
  });
});
