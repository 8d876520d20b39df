import { describe, expect, test } from "bun:test";
import {
  readCountRequest,
  readMessagesRequest,
} from "../../../src/protocols/anthropic-messages/request.ts";

const noTurns = { messagesThrough: () => null };

const messages = [{ role: "user", content: "a" }];

const chatOf = (body: Uint8Array) => JSON.parse(Buffer.from(body).toString());

function read(request: object) {
  const body = Buffer.from(JSON.stringify({ max_tokens: 5, messages, ...request }));
  return readMessagesRequest(body, noTurns);
}

describe("readMessagesRequest()", () => {
  test("maps what a backend knows, and leaves the rest out", () => {
    const { chatBody, stopSequences } = read({
      model: "claude",
      system: "s",
      temperature: 0.5,
      top_p: 0.9,
      top_k: 40,
      stop_sequences: ["END"],
      stream: true,
      tools: [{ name: "f", input_schema: {} }],
      tool_choice: { type: "any", disable_parallel_tool_use: true },
      metadata: { user_id: "u" },
      thinking: { type: "enabled", budget_tokens: 1024 },
      service_tier: "auto",
      context_management: {},
      chat_template_kwargs: { enable_thinking: false },
    });
    expect(chatOf(chatBody)).toEqual({
      model: "claude",
      temperature: 0.5,
      top_p: 0.9,
      top_k: 40,
      chat_template_kwargs: { enable_thinking: false },
      max_tokens: 5,
      stop: ["END"],
      tool_choice: "required",
      parallel_tool_calls: false,
      stream: true,
      messages: [{ role: "system", content: "s" }, ...messages],
      tools: [{ type: "function", function: { name: "f", parameters: {} } }],
    });
    expect(stopSequences).toEqual(["END"]);
  });

  test("keeps numbers as they are written", () => {
    const text = '{"max_tokens":5,"temperature":1.0,"messages":[{"role":"user","content":"a"}]}';
    const { chatBody } = readMessagesRequest(Buffer.from(text), noTurns);
    expect(Buffer.from(chatBody).toString()).toContain('"temperature":1.0');
  });

  test.each([
    { output_config: { format: { type: "json_schema", schema: { type: "object" } } } },
    { output_format: { type: "json_schema", schema: { type: "object" } } },
  ])("asks for structured output as chat does: %j", (request) => {
    expect(chatOf(read(request).chatBody).response_format).toEqual({
      type: "json_schema",
      json_schema: { name: "output", schema: { type: "object" } },
    });
  });

  test.each([
    [{ max_tokens: undefined }, "max_tokens must be an integer of 1 or more, got nothing"],
    [{ max_tokens: 0 }, "max_tokens must be an integer of 1 or more, got a number"],
    [
      { messages: [...messages, { role: "assistant", content: "{" }] },
      "a reply cannot be begun by the client",
    ],
    [{ stop_sequences: [7] }, "stop_sequences[0] must be a string, got a number"],
    [{ output_config: { format: {} } }, "output_config.format.schema must be an object"],
  ])("refuses %j", (request, sentence) => {
    expect(() => read(request)).toThrow(sentence);
  });
});

test("readCountRequest() needs no max_tokens, and takes any last message", () => {
  const request = { model: "m", messages: [...messages, { role: "assistant", content: "b" }] };
  const body = Buffer.from(JSON.stringify(request));
  expect(chatOf(readCountRequest(body, noTurns))).toEqual(request);
});
