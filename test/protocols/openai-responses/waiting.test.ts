import { describe, expect, test } from "bun:test";
import { openaiResponses } from "../../../src/protocols/openai-responses/protocol.ts";
import { answerOf, eventsOf, textOf, turnId } from "../answers.ts";

const body = Buffer.from('{"model":"m","input":"a","user":"u","stream":true}');
const opened = openaiResponses.open(body, { messagesThrough: () => null });
const waiting = opened.waiting(turnId);

describe("waitingForResponse()", () => {
  test("begins as the reply does, and says again that the response is in progress", () => {
    const reply = opened.render(answerOf({ content: "hi" }, { stream: true }));
    const [created, inProgress] = eventsOf(textOf(reply));
    const opening = eventsOf(waiting.opening);
    expect(waiting.eventsInOpening).toBe(opening.length);
    // The time is another one.
    const response = { ...(created?.data["response"] as object), created_at: expect.any(Number) };
    expect(opening).toEqual([
      { event: "response.created", data: { ...created?.data, response } },
      { event: "response.in_progress", data: { ...inProgress?.data, response } },
    ]);
    expect(eventsOf(waiting.keepAlive)).toEqual(opening.slice(1));
  });

  test.each([
    [400, "invalid_request_error", "invalid_prompt"],
    [429, "rate_limit_error", "rate_limit_exceeded"],
    [502, "server_error", "server_error"],
  ])("ends with an error and a failed response: %d", (status, type, code) => {
    const [error, failed] = eventsOf(waiting.failure(status, "why"));
    const members = { code, message: "why", param: null };
    expect(error).toEqual({
      event: "error",
      data: { type: "error", sequence_number: 2, ...members, error: { type, ...members } },
    });
    expect(failed).toMatchObject({
      event: "response.failed",
      data: {
        sequence_number: 3,
        response: { id: `resp_${turnId}`, status: "failed", error: { code, message: "why" } },
      },
    });
  });
});
