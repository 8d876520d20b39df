import { describe, expect, test } from "bun:test";
import { parseJson } from "../../../src/json/lossless.ts";
import type { JsonObject } from "../../../src/json/values.ts";
import { deepseekV32Renderer, thinkingEnabled } from "../../../src/tito/deepseek/renderer.ts";
import { RenderError } from "../../../src/tito/render-error.ts";

interface Given {
  readonly tools?: string;
  readonly kwargs?: string;
  readonly addGenerationPrompt?: boolean;
}

function render(messages: string, given: Given = {}): string {
  return deepseekV32Renderer.render({
    messages: parseJson(messages) as JsonObject[],
    tools: parseJson(given.tools ?? "null"),
    addGenerationPrompt: given.addGenerationPrompt ?? true,
    chatTemplateKwargs: parseJson(given.kwargs ?? "{}") as JsonObject,
  });
}

const begin = "<｜begin▁of▁sentence｜>";
const tools = '[{"type": "function", "function": {"name": "f"}}]';

describe("deepseekV32Renderer tools", () => {
  test("stand in the system message, which is made when there is none", () => {
    const without = render('[{"role": "user", "content": "a"}]', { tools });
    expect(without).toStartWith(`${begin}\n\n## Tools\n`);
    expect(without).toContain(
      '<functions>\n{"description": null, "name": "f", "parameters": null, "strict": false}\n',
    );
    const system = '[{"role": "system", "content": "S"}, {"role": "user", "content": "a"}]';
    expect(render(system, { tools })).toStartWith(`${begin}S\n\n## Tools\n`);
  });

  test("do not move the index of a message that is wrong", () => {
    try {
      render('[{"role": "user", "content": "a"}, {"role": "critic"}]', { tools });
      throw new Error("nothing was thrown");
    } catch (error) {
      expect((error as RenderError).messageIndex).toBe(1);
    }
  });

  test("must be whole tools", () => {
    expect(() => render('[{"role": "user"}]', { tools: '[{"name": "f"}]' })).toThrow(
      "tools[0].function is missing",
    );
  });
});

describe("deepseekV32Renderer without a generation prompt", () => {
  const closed = { addGenerationPrompt: false };

  test("leaves out the opener after a user message and after the last result", () => {
    expect(render('[{"role": "user", "content": "a"}]', closed)).toBe(`${begin}<｜User｜>a`);
    const results = `[{"role": "assistant", "reasoning_content": "r", "content": "", "tool_calls":
      [{"function": {"name": "f", "arguments": {}}}]}, {"role": "tool", "content": "x"}]`;
    expect(render(results, { ...closed, kwargs: '{"drop_thinking": false}' })).toEndWith(
      "<result>x</result>\n</function_results>",
    );
  });

  test("leaves an answer as it is", () => {
    const answered =
      '[{"role": "user", "content": "a"}, ' +
      '{"role": "assistant", "content": "b", "reasoning_content": "r"}]';
    expect(render(answered, closed)).toBe(render(answered));
  });
});

describe("deepseekV32Renderer kwargs", () => {
  const modes: [kwargs: string, thinking: boolean][] = [
    ["{}", true],
    ['{"thinking": false}', false],
    ['{"enable_thinking": false, "thinking": true}', false],
    ['{"enable_thinking": null, "thinking": 0}', false],
    ['{"thinking_mode": "thinking", "thinking": false}', true],
    ['{"thinking_mode": "chat"}', false],
  ];
  for (const [kwargs, thinking] of modes) {
    test(`${kwargs} means thinking ${thinking ? "on" : "off"}`, () => {
      expect(thinkingEnabled(parseJson(kwargs) as JsonObject)).toBe(thinking);
      expect(render('[{"role": "user", "content": "a"}]', { kwargs })).toEndWith(
        thinking ? "<think>" : "</think>",
      );
    });
  }

  test("add_default_bos_token leaves out the first token", () => {
    const kwargs = '{"add_default_bos_token": false}';
    expect(render('[{"role": "user", "content": "a"}]', { kwargs })).toStartWith("<｜User｜>");
  });

  test("thinking is dropped from the past unless drop_thinking is false", () => {
    const messages = `[{"role": "user", "content": "a"},
      {"role": "assistant", "content": "b", "reasoning_content": "r"},
      {"role": "user", "content": "c"}]`;
    expect(render(messages)).not.toContain("<think>r</think>");
    expect(render(messages, { kwargs: '{"drop_thinking": false}' })).toContain("<think>r</think>");
  });

  test("validateKwargs() refuses unknown names and modes", () => {
    const validate = (kwargs: string) => () =>
      deepseekV32Renderer.validateKwargs(parseJson(kwargs) as JsonObject);
    expect(validate('{"context": []}')).toThrow(RenderError);
    expect(validate('{"thinking_mode": null}')).toThrow('must be "thinking" or "chat"');
    expect(validate('{"thinking": true, "drop_thinking": 1}')).not.toThrow();
  });
});
