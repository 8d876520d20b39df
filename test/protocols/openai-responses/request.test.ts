import { describe, expect, test } from "bun:test";
import { readResponsesRequest } from "../../../src/protocols/openai-responses/request.ts";

function read(request: object) {
  const body = Buffer.from(JSON.stringify({ input: "a", ...request }));
  const { chatBody, asked } = readResponsesRequest(body, { messagesThrough: () => null });
  return { chat: JSON.parse(Buffer.from(chatBody).toString()), ...asked };
}

describe("readResponsesRequest()", () => {
  test("maps what a backend knows, and leaves the rest out", () => {
    const { chat, request, offered } = read({
      model: "gpt",
      temperature: 0.5,
      top_p: 0.9,
      max_output_tokens: 7,
      parallel_tool_calls: false,
      tool_choice: "required",
      tools: [{ type: "custom", name: "patch" }],
      stream: true,
      store: false,
      background: false,
      include: ["reasoning.encrypted_content"],
      reasoning: { effort: "high", summary: "auto" },
      truncation: "auto",
      metadata: { a: "b" },
    });
    expect(chat).toMatchObject({
      model: "gpt",
      temperature: 0.5,
      top_p: 0.9,
      max_tokens: 7,
      parallel_tool_calls: false,
      tool_choice: "required",
      stream: true,
      messages: [{ role: "user", content: "a" }],
    });
    for (const name of ["store", "include", "reasoning", "truncation", "metadata", "input"]) {
      expect(chat).not.toHaveProperty(name);
    }
    expect(request.get("store")).toBe(false);
    expect(offered.get("patch")).toMatchObject({ isCustom: true });
  });

  test("passes the tools that a client found by search", () => {
    const found = { type: "function", name: "f", parameters: {} };
    const output = { type: "tool_search_output", call_id: "c1", tools: [found] };
    const { chat } = read({ input: [{ role: "user", content: "a" }, output] });
    expect(chat.tools).toEqual([{ type: "function", function: { name: "f", parameters: {} } }]);
  });

  test.each([
    [{ type: "text" }, undefined],
    [{ type: "json_object" }, { type: "json_object" }],
    [
      { type: "json_schema", name: "n", schema: {}, strict: true },
      { type: "json_schema", json_schema: { name: "n", schema: {}, strict: true } },
    ],
  ])("text.format %j", (format, expected) => {
    expect(read({ text: { format, verbosity: "low" } }).chat.response_format).toEqual(expected);
  });

  test.each([
    [{ background: true }, "background is not supported"],
    [{ conversation: "c" }, "conversation is not supported"],
    [{ prompt: { id: "p" } }, "prompt is not supported"],
    [{ text: { format: { type: "grammar" } } }, "text.format.type must be one of"],
    [{ text: "a" }, "text must be an object, got a string"],
  ])("refuses %j", (request, sentence) => {
    expect(() => read(request)).toThrow(sentence);
  });
});
