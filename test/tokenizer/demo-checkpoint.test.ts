import { describe, expect, test } from "bun:test";
import { parseJson } from "../../src/json/lossless.ts";
import type { JsonObject } from "../../src/json/values.ts";
import { createTitoTokenizer } from "../../src/tito/tito-tokenizer.ts";
import { loadCheckpoint } from "../../src/tokenizer/checkpoint.ts";

const checkpoint = await loadCheckpoint(null, { chatTemplatePath: null });
const noKwargs: JsonObject = new Map();

function messagesOf(json: string): JsonObject[] {
  return parseJson(json) as JsonObject[];
}

describe("the demo tokenizer", () => {
  test("has one token a byte, with the byte as its id", async () => {
    const text = Array.from({ length: 0x300 }, (_, code) => String.fromCodePoint(code)).join("");
    const ids = await checkpoint.tokenizer.encode(text);
    expect(ids).toEqual([...new TextEncoder().encode(text)]);
    expect(await checkpoint.tokenizer.decode(ids)).toBe(text);
  });

  test("has one token a marker, of which those of the structure are special", async () => {
    const markers =
      "<|im_start|><|im_end|><|endoftext|><think></think>" +
      "<tool_call></tool_call><tool_response></tool_response>";
    const ids = await checkpoint.tokenizer.encode(markers);
    expect(ids).toEqual([256, 257, 258, 259, 260, 261, 262, 263, 264]);
    expect([...checkpoint.tokenizer.specialTokenIds]).toEqual([256, 257, 258]);
  });
});

describe("the demo template", () => {
  const messages = messagesOf(`[
    {"role": "system", "content": "Be brief."},
    {"role": "user", "content": [{"type": "text", "text": "Look "}, {"type": "text", "text": "up"}]},
    {"role": "assistant", "content": "", "reasoning_content": "hm", "tool_calls": [
      {"id": "c1", "type": "function", "function": {"name": "run", "arguments": "{\\"n\\": 1.0}"}}]},
    {"role": "tool", "tool_call_id": "c1", "content": "42"},
    {"role": "assistant", "content": "It is 42."}
  ]`);
  const tools = parseJson('[{"type": "function", "function": {"name": "run"}}]');

  test("renders tools, reasoning, calls and results", async () => {
    const tito = createTitoTokenizer({
      family: "default",
      checkpoint,
      chatTemplateKwargs: noKwargs,
    });
    const ids = await tito.renderPrompt(messages, tools, { addGenerationPrompt: true });
    expect(await checkpoint.tokenizer.decode(ids)).toBe(
      "<|im_start|>system\nBe brief.\n\nYou can call these functions, one JSON schema a line:\n" +
        '{"type": "function", "function": {"description": null, "name": "run", ' +
        '"parameters": null, "strict": false}}\nTo call one, answer with ' +
        '<tool_call>{"name": ..., "arguments": {...}}</tool_call>.<|im_end|>' +
        "<|im_start|>user\nLook up<|im_end|>" +
        '<|im_start|>assistant\n<think>hm</think><tool_call>{"name": "run", ' +
        '"arguments": {"n": 1.0}}</tool_call><|im_end|>' +
        "<|im_start|>tool\n<tool_response>42</tool_response><|im_end|>" +
        "<|im_start|>assistant\nIt is 42.<|im_end|><|im_start|>assistant\n",
    );
  });

  for (const family of ["default", "qwen3"] as const) {
    test(`grows at its end only, with the family ${family}`, async () => {
      const tito = createTitoTokenizer({ family, checkpoint, chatTemplateKwargs: noKwargs });
      const lineFeed = family === "qwen3" ? 1 : 0;
      for (let end = 3; end < messages.length; end += 2) {
        const history = messages.slice(0, end);
        const appended = messages.slice(end, end + 1);
        const rendered = await tito.renderPrompt(history, tools, { addGenerationPrompt: false });
        // The model stops at the end of its turn, without the line feed of the qwen3 template.
        const stored = rendered.slice(0, rendered.length - lineFeed);
        const added = await tito.appendTokens(history, appended, stored.at(-1), tools);
        const whole = await tito.renderPrompt([...history, ...appended], tools, {
          addGenerationPrompt: true,
        });
        expect([...stored, ...added.tokens]).toEqual(whole);
      }
    });
  }

  test("closes the thinking block when enable_thinking is false", async () => {
    const tito = createTitoTokenizer({
      family: "default",
      checkpoint,
      chatTemplateKwargs: new Map([["enable_thinking", false]]),
    });
    const ids = await tito.renderPrompt(messagesOf('[{"role": "user", "content": "a"}]'), null, {
      addGenerationPrompt: true,
    });
    expect(await checkpoint.tokenizer.decode(ids)).toEndWith(
      "<|im_start|>assistant\n<think></think>",
    );
  });
});
