import { describe, expect, test } from "bun:test";
import { openaiResponses } from "../../../src/protocols/openai-responses/protocol.ts";
import { answerOf, eventsOf, textOf, turnId } from "../answers.ts";

const body = Buffer.from('{"model":"m","input":"a","user":"u"}');
const opened = openaiResponses.open(body, { messagesThrough: () => null });

describe("openaiResponses", () => {
  test("opens a request as a chat completion", () => {
    expect(openaiResponses.isTranslation).toBe(true);
    expect(JSON.parse(Buffer.from(opened.chatBody).toString())).toEqual({
      model: "m",
      messages: [{ role: "user", content: "a" }],
    });
  });

  test("renders a response that repeats its request", () => {
    const reply = opened.render(answerOf({ content: "hi" }));
    expect(reply.headers).toEqual([["content-type", "application/json"]]);
    expect(JSON.parse(textOf(reply))).toMatchObject({ id: `resp_${turnId}`, user: "u" });
  });

  test("renders events when the request asks for a stream", () => {
    const reply = opened.render(answerOf({ content: "hi" }, { stream: true }));
    expect(reply.headers[0]).toEqual(["content-type", "text/event-stream; charset=utf-8"]);
    expect(eventsOf(textOf(reply)).at(-1)?.event).toBe("response.completed");
  });
});
