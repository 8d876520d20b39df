import { describe, expect, test } from "bun:test";
import { responseParts } from "../../../src/protocols/openai-responses/reply.ts";
import { answerOf, call, jsonObject, plain, turnId } from "../answers.ts";

const offered = new Map([
  ["patch", { name: "patch", namespace: null, isCustom: true, clientTool: null }],
]);

function response(
  message: object,
  more: Parameters<typeof answerOf>[1] & { request?: object } = {},
): Record<string, unknown> {
  const request = jsonObject(more.request ?? {});
  const asked = { request, offered };
  return plain(responseParts(answerOf(message, more), asked).whole) as never;
}

describe("responseParts()", () => {
  test("say all that the model said, in order", () => {
    const said = {
      content: "hi",
      reasoning_content: "why",
      tool_calls: [call("f", '{"a": 1}'), call("patch", '{"input": "x"}')],
    };
    const { output, ...rest } = response(said, {
      request: { instructions: "s", reasoning: { summary: "auto" }, metadata: { a: "b" } },
      response: {
        usage: {
          prompt_tokens_details: { cached_tokens: 4 },
          completion_tokens_details: { reasoning_tokens: 2 },
        },
      },
    });
    expect(output).toEqual([
      {
        id: `rs_${turnId}`,
        type: "reasoning",
        summary: [{ type: "summary_text", text: "why" }],
        content: [{ type: "reasoning_text", text: "why" }],
        encrypted_content: null,
        status: "completed",
      },
      {
        id: `msg_${turnId}`,
        type: "message",
        status: "completed",
        role: "assistant",
        content: [{ type: "output_text", text: "hi", annotations: [], logprobs: [] }],
      },
      {
        id: `fc_${turnId}_0`,
        type: "function_call",
        status: "completed",
        call_id: "call-f",
        name: "f",
        arguments: '{"a": 1}',
      },
      {
        id: `ctc_${turnId}_1`,
        type: "custom_tool_call",
        status: "completed",
        call_id: "call-patch",
        name: "patch",
        input: "x",
      },
    ]);
    expect(rest).toMatchObject({
      id: `resp_${turnId}`,
      object: "response",
      created_at: 17,
      status: "completed",
      incomplete_details: null,
      error: null,
      model: "m",
      instructions: "s",
      metadata: { a: "b" },
      parallel_tool_calls: true,
      tool_choice: "auto",
      tools: [],
      usage: {
        input_tokens: 10,
        input_tokens_details: { cached_tokens: 4 },
        output_tokens: 3,
        output_tokens_details: { reasoning_tokens: 2 },
        total_tokens: 13,
      },
    });
  });

  test("take a call of a custom tool without its text for a function's", () => {
    for (const text of ['{"a": 1}', '{"input": 7}', '{"input": "x", "a": 1}']) {
      const { output } = response({ content: "", tool_calls: [call("patch", text)] });
      expect(output).toMatchObject([{ type: "function_call", arguments: text }]);
    }
  });

  test("summarise only what is asked to be", () => {
    const { output } = response({ content: "hi", reasoning_content: "why" });
    expect(output).toMatchObject([{ type: "reasoning", summary: [] }, { type: "message" }]);
  });

  test("have a message when nothing was said, and none beside calls", () => {
    expect(response({ content: "" })["output"]).toMatchObject([{ content: [{ text: "" }] }]);
    const calls = { content: "\n\n", tool_calls: [call("f", "{}")] };
    expect(response(calls)["output"]).toMatchObject([{ type: "function_call" }]);
  });

  test.each([
    ["length", "max_output_tokens"],
    ["content_filter", "content_filter"],
  ])("that ended by %s are incomplete", (finish_reason, reason) => {
    expect(response({ content: "a" }, { choice: { finish_reason } })).toMatchObject({
      status: "incomplete",
      incomplete_details: { reason },
      output: [{ status: "incomplete" }],
    });
  });
});
