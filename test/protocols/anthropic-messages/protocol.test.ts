import { describe, expect, test } from "bun:test";
import { anthropicMessages } from "../../../src/protocols/anthropic-messages/protocol.ts";
import { answerOf, eventsOf, textOf } from "../answers.ts";

const body = Buffer.from(
  '{"model":"m","max_tokens":5,"stop_sequences":["END"],' +
    '"messages":[{"role":"user","content":"a"}]}',
);
const opened = anthropicMessages.open(body, { messagesThrough: () => null });

describe("anthropicMessages", () => {
  test("opens a request as a chat completion", () => {
    expect(anthropicMessages.isTranslation).toBe(true);
    expect(JSON.parse(Buffer.from(opened.chatBody).toString()).messages).toEqual([
      { role: "user", content: "a" },
    ]);
  });

  test("renders a message, which ended by the request's own sequence", () => {
    const reply = opened.render(answerOf({ content: "hi" }, { choice: { matched_stop: "END" } }));
    expect(reply.headers).toEqual([["content-type", "application/json"]]);
    expect(JSON.parse(textOf(reply))).toMatchObject({
      content: [{ type: "text", text: "hi" }],
      stop_reason: "stop_sequence",
    });
  });

  test("renders events when the request asks for a stream", () => {
    const reply = opened.render(answerOf({ content: "hi" }, { stream: true }));
    expect(reply.headers[0]).toEqual(["content-type", "text/event-stream; charset=utf-8"]);
    expect(eventsOf(textOf(reply)).at(-1)?.event).toBe("message_stop");
  });
});
