import { describe, expect, test } from "bun:test";
import { parseChatReply } from "../../src/core/chat-reply.ts";
import { streamReply, waitingForChunk } from "../../src/core/stream-chunk.ts";

function parse(value: unknown) {
  return parseChatReply(Buffer.from(JSON.stringify(value)));
}

function replyWith(choice: object) {
  return { id: "x", created: 1, model: "m", choices: [choice] };
}

const message = { role: "assistant", content: "hi", reasoning_content: null };
const metaInfo = { output_token_logprobs: [[-0.5, 7, null]], completion_tokens: 1 };

describe("streamReply()", () => {
  test("puts everything into one chunk and ends the stream", () => {
    const calls = [{ id: "c", type: "function", function: { name: "f", arguments: "{}" } }];
    const reply = streamReply(
      200,
      parse({
        ...replyWith({
          message: { ...message, tool_calls: [...calls, ...calls], reasoning_content: "why" },
          meta_info: metaInfo,
          finish_reason: "tool_calls",
        }),
        usage: { total_tokens: 3 },
      }),
      false,
    );
    const [data, done] = new TextDecoder().decode(reply.body as Uint8Array).split("\n\n");
    expect(done).toBe("data: [DONE]");
    expect(JSON.parse(data?.slice("data: ".length) ?? "")).toEqual({
      id: "x",
      object: "chat.completion.chunk",
      created: 1,
      model: "m",
      choices: [
        {
          index: 0,
          delta: {
            role: "assistant",
            content: "hi",
            reasoning_content: "why",
            tool_calls: [
              { ...calls[0], index: 0 },
              { ...calls[0], index: 1 },
            ],
          },
          finish_reason: "tool_calls",
        },
      ],
      usage: { total_tokens: 3 },
    });
    expect(reply.headers).toContainEqual(["content-type", "text/event-stream; charset=utf-8"]);
  });

  test.each([true, false])("log-probabilities are in the choice when asked for: %p", (asked) => {
    const logprobs = { content: [{ token: "hi", logprob: -0.5 }] };
    const reply = parse(replyWith({ message, logprobs, meta_info: metaInfo }));
    const { body } = streamReply(200, reply, asked);
    const [data = ""] = Buffer.from(body as Uint8Array)
      .toString()
      .split("\n\n");
    const [choice] = JSON.parse(data.slice("data: ".length)).choices;
    expect(choice.logprobs).toEqual(asked ? logprobs : undefined);
  });
});

test("waitingForChunk comments, and ends with an error that OpenAI's SDKs raise", () => {
  expect(waitingForChunk.opening).toBe(": keep-alive\n\n");
  expect([waitingForChunk.keepAlive, waitingForChunk.eventsInOpening]).toEqual([
    waitingForChunk.opening,
    0,
  ]);
  expect(waitingForChunk.failure(502, 'no "x"')).toBe(
    'data: {"error":{"message":"no \\"x\\"","type":"server_error","param":null,"code":502}}\n\n',
  );
});
