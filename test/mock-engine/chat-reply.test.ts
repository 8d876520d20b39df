import { expect, test } from "bun:test";
import { type ChatReplyParts, chatReplyBody } from "../../src/mock-engine/chat-reply.ts";
import { faultNames } from "../../src/mock-engine/fault.ts";

const payload = Buffer.from("AAAA");
const parts: ChatReplyParts = {
  id: "0123456789abcdef0123456789abcdef",
  created: 1,
  model: "m",
  weightVersion: "7",
  promptTokens: 3,
  completion: {
    tokens: [5, 9],
    content: 'say "hi"',
    reasoning: null,
    toolCalls: [],
    finishReason: "stop",
    stopToken: 9,
  },
  request: {
    model: "m",
    messages: [],
    inputIds: null,
    completionTokensMax: null,
    logprobs: true,
    returnMetaInfo: true,
    returnRoutedExperts: true,
    returnIndexerTopk: true,
  },
  payloads: [
    ["routed_experts", [payload, payload]],
    ["indexer_topk", []],
  ],
  fault: null,
};

const text = (changes: Partial<ChatReplyParts> = {}) =>
  Buffer.concat(chatReplyBody({ ...parts, ...changes })).toString();

test("chatReplyBody() writes the members in SGLang's order, payloads last in meta_info", () => {
  expect(text()).toBe(
    '{"id":"chatcmpl-0123456789abcdef0123456789abcdef","object":"chat.completion","created":1,' +
      '"model":"m","choices":[{"index":0,"message":{"role":"assistant","content":"say \\"hi\\"",' +
      '"reasoning_content":null,"tool_calls":null},"logprobs":null,"finish_reason":"stop",' +
      '"matched_stop":9,"meta_info":{"id":"0123456789abcdef0123456789abcdef",' +
      '"finish_reason":{"type":"stop","matched":9},"prompt_tokens":3,"weight_version":"7",' +
      '"completion_tokens":2,"cached_tokens":0,' +
      '"output_token_logprobs":[[-0.0078125,5,null],[-0.015625,9,null]],' +
      '"routed_experts":"AAAAAAAA","indexer_topk":""}}],' +
      '"usage":{"prompt_tokens":3,"completion_tokens":2,"total_tokens":5},' +
      '"metadata":{"weight_version":"7"}}',
  );
});

test("chatReplyBody() passes payload slices on without a copy", () => {
  expect(chatReplyBody(parts).filter((slice) => slice === payload)).toHaveLength(2);
});

test("chatReplyBody() gives tool calls ids that follow from the reply's", () => {
  const call = { name: "run", arguments: "{}" };
  const toolCalls = [call, { ...call, id: "mine" }];
  const completion = { ...parts.completion, toolCalls, finishReason: "tool_calls" };
  const { choices } = JSON.parse(text({ completion }));
  expect(choices[0].message.tool_calls).toEqual([
    { id: "call_0123456789abcdef01230000", index: 0, type: "function", function: call },
    { id: "mine", index: 1, type: "function", function: call },
  ]);
  expect(choices[0].meta_info.finish_reason.type).toBe("stop");
});

test("chatReplyBody() says how a completion ended", () => {
  const reason = (finishReason: string) => {
    const completion = { ...parts.completion, finishReason };
    return JSON.parse(text({ completion })).choices[0].meta_info.finish_reason;
  };
  expect(reason("length")).toEqual({ type: "length", length: 2 });
  expect(reason("abort")).toMatchObject({ type: "abort" });
});

test("chatReplyBody() stays JSON under every fault that is not about delivery", () => {
  for (const fault of Object.keys(faultNames) as (keyof typeof faultNames)[]) {
    expect(JSON.parse(text({ fault }))).toHaveProperty("choices");
  }
});
