import { describe, expect, test } from "bun:test";
import { parseChatReply } from "../../src/core/chat-reply.ts";
import { UpstreamAbortedError, UpstreamError } from "../../src/errors.ts";

function parse(value: unknown) {
  return parseChatReply(Buffer.from(typeof value === "string" ? value : JSON.stringify(value)));
}

function replyWith(choice: object) {
  return { id: "x", created: 1, model: "m", choices: [choice] };
}

const message = { role: "assistant", content: "hi", reasoning_content: null };
const metaInfo = { output_token_logprobs: [[-0.5, 7, null]], completion_tokens: 1 };

describe("parseChatReply()", () => {
  test("gives the message and one id for each completion token", () => {
    const reply = parse(replyWith({ message, meta_info: metaInfo }));
    expect(reply.completionTokens).toEqual([7]);
    expect(reply.assistantMessage.get("content")).toBe("hi");
  });

  test("accepts NaN among the logprobs", () => {
    const text = JSON.stringify(replyWith({ message, meta_info: metaInfo })).replace("-0.5", "NaN");
    expect(parse(text).completionTokens).toEqual([7]);
  });

  test.each([
    [{ object: "x" }, "meta_info and output_token_logprobs must be in choice"],
    [replyWith({ message }), "meta_info and output_token_logprobs must be in choice"],
    [
      replyWith({ message, meta_info: {} }),
      "meta_info and output_token_logprobs must be in choice",
    ],
    [replyWith({ message: null, meta_info: metaInfo }), "assistant message content is None"],
    [
      replyWith({ message: { ...message, content: null }, meta_info: metaInfo }),
      "assistant message content is None",
    ],
    [
      replyWith({ message, meta_info: { ...metaInfo, completion_tokens: 9 } }),
      "len(output_token_logprobs)=1 != completion_tokens=9.",
    ],
    [
      replyWith({ message, meta_info: { ...metaInfo, completion_tokens: undefined } }),
      "len(output_token_logprobs)=1 != completion_tokens=null.",
    ],
    [
      replyWith({ message, meta_info: { ...metaInfo, output_token_logprobs: [[-1, "7"]] } }),
      "output_token_logprobs[0] must be [logprob, token id, text]",
    ],
    [
      replyWith({ message, meta_info: { ...metaInfo, output_token_logprobs: 3 } }),
      "output_token_logprobs must be a list",
    ],
    [{ choices: [] }, "choices must be a list of at least one choice"],
    [{ choices: [1] }, "choices[0] must be an object"],
    [[], "the reply must be an object"],
    ["<html>", "invalid chat completion response: "],
  ])("refuses %j", (value, text) => {
    expect(() => parse(value)).toThrow(UpstreamError);
    expect(() => parse(value)).toThrow(text);
  });

  test.each([
    { finish_reason: "abort", message: { ...message, content: null } },
    { finish_reason: "stop", meta_info: { ...metaInfo, finish_reason: { type: "abort" } } },
    { meta_info: { ...metaInfo, finish_reason: "abort" } },
  ])("takes %j for a generation that was given up", (choice) => {
    expect(() => parse(replyWith({ message, meta_info: metaInfo, ...choice }))).toThrow(
      UpstreamAbortedError,
    );
  });
});
