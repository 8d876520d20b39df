import { expect, test } from "bun:test";
import { eventStreamReply } from "../../src/protocols/event-stream.ts";

test("eventStreamReply() is a stream that no proxy keeps or holds back", () => {
  const reply = eventStreamReply(200, "data: {}\n\n");
  expect(Buffer.from(reply.body as Uint8Array).toString()).toBe("data: {}\n\n");
  expect(reply.headers).toEqual([
    ["content-type", "text/event-stream; charset=utf-8"],
    ["cache-control", "no-cache"],
    ["x-accel-buffering", "no"],
  ]);
});
