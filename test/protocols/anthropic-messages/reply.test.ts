import { describe, expect, test } from "bun:test";
import { messageOf, messageParts } from "../../../src/protocols/anthropic-messages/reply.ts";
import { answerOf, call, plain, turnId } from "../answers.ts";

function message(...[content, more]: Parameters<typeof answerOf>): Record<string, unknown> {
  return plain(messageOf(messageParts(answerOf(content, more), ["END"]))) as never;
}

describe("messageOf()", () => {
  test("says all that the model said, in order", () => {
    const calls = [call("f", '{"a": 1}'), call("g", "")];
    const said = { content: "hi", reasoning_content: "why", tool_calls: calls };
    expect(message(said, { choice: { finish_reason: "tool_calls" } })).toEqual({
      id: `msg_${turnId}`,
      type: "message",
      role: "assistant",
      model: "m",
      content: [
        { type: "thinking", thinking: "why", signature: "c2Vzc2lvbi1zZXJ2ZXI=" },
        { type: "text", text: "hi" },
        { type: "tool_use", id: "call-f", name: "f", input: { a: 1 } },
        { type: "tool_use", id: "call-g", name: "g", input: {} },
      ],
      stop_reason: "tool_use",
      stop_sequence: null,
      usage: {
        input_tokens: 10,
        cache_creation_input_tokens: 0,
        cache_read_input_tokens: 0,
        output_tokens: 3,
      },
    });
  });

  test.each([
    ["stop", 151645, "end_turn", null],
    ["stop", null, "end_turn", null],
    ["stop", "END", "stop_sequence", "END"],
    ["stop", "</s>", "end_turn", null],
    ["length", null, "max_tokens", null],
    ["tool_calls", null, "tool_use", null],
    ["content_filter", null, "refusal", null],
    [null, null, "end_turn", null],
  ])("finish reason %p, matched %p is %s", (finish_reason, matched_stop, reason, sequence) => {
    const { stop_reason, stop_sequence } = message(
      { content: "a" },
      { choice: { finish_reason, matched_stop } },
    );
    expect([stop_reason, stop_sequence]).toEqual([reason, sequence]);
  });

  test("nothing said is no block", () => {
    expect(message({ content: "" })["content"]).toEqual([]);
  });

  test("names no model when the backend named none", () => {
    expect(message({ content: "" }, { response: { model: null } })["model"]).toBe("");
  });
});
