import { expect, test } from "bun:test";
import { waitingForMessage } from "../../../src/protocols/anthropic-messages/waiting.ts";
import { eventsOf } from "../answers.ts";

test("waitingForMessage pings, and ends with the protocol's error", () => {
  const { opening, keepAlive, eventsInOpening, failure } = waitingForMessage;
  expect([opening, eventsInOpening]).toEqual([keepAlive, 0]);
  expect(keepAlive).toBe('event: ping\ndata: {"type":"ping"}\n\n');
  expect(eventsOf(failure(529, "busy"))).toEqual([
    {
      event: "error",
      data: { type: "error", error: { type: "overloaded_error", message: "busy" } },
    },
  ]);
});
