import { expect, test } from "bun:test";
import { chatProtocol } from "../../src/core/chat-protocol.ts";
import type { Reply } from "../../src/operation.ts";
import type { TurnAnswer } from "../../src/protocols/turn-protocol.ts";

const received: Reply = { status: 200, headers: [["x", "1"]], body: Buffer.from("{ }") };

function render(stream: boolean, reply: Reply = received): Reply {
  const body = Buffer.from("{}");
  const opened = chatProtocol.open(body, { messagesThrough: () => null });
  expect(opened.chatBody).toBe(body);
  const answer: TurnAnswer = {
    ...{ turnId: "ab", stream, logprobs: false, promptTokens: 1, completionTokens: 1 },
    ...{ response: new Map(), choice: new Map(), assistantMessage: new Map(), received: reply },
  };
  return opened.render(answer);
}

test("chatProtocol passes the backend's bytes, with a media type", () => {
  const reply = render(false);
  expect(reply.body).toBe(received.body);
  expect(reply.headers).toEqual([
    ["x", "1"],
    ["content-type", "application/json"],
  ]);
  const typed: Reply = { ...received, headers: [["content-type", "text/json"]] };
  expect(render(false, typed)).toEqual(typed);
});

test("chatProtocol streams when it is asked to", () => {
  expect(render(true).headers).toContainEqual(["content-type", "text/event-stream; charset=utf-8"]);
});
