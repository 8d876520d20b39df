import { expect, test } from "bun:test";
import { messageEvents } from "../../../src/protocols/anthropic-messages/events.ts";
import { messageOf, messageParts } from "../../../src/protocols/anthropic-messages/reply.ts";
import { answerOf, call, eventsOf, plain } from "../answers.ts";

const said = {
  content: "hi",
  reasoning_content: "why",
  tool_calls: [call("f", '{"a": 1.0}')],
};
const parts = messageParts(answerOf(said, { choice: { finish_reason: "tool_calls" } }), []);
const events = eventsOf(messageEvents(parts));

test("messageEvents() come in the protocol's order", () => {
  const block = (deltas: number) => [
    "content_block_start",
    ...Array<string>(deltas).fill("content_block_delta"),
    "content_block_stop",
  ];
  expect(events.map(({ event }) => event)).toEqual([
    "message_start",
    ...block(2),
    ...block(1),
    ...block(1),
    "message_delta",
    "message_stop",
  ]);
  for (const { event, data } of events) expect(data["type"]).toBe(event);
});

test("messageEvents() give the whole message when they are put together", () => {
  type Block = Record<string, unknown>;
  const message = structuredClone(events[0]?.data["message"]) as Block & { content: Block[] };
  expect(message).toMatchObject({ content: [], stop_reason: null, usage: { output_tokens: 0 } });
  for (const { event, data } of events) {
    const index = data["index"] as number;
    if (event === "content_block_start") message.content[index] = data["content_block"] as Block;
    if (event === "message_delta") {
      Object.assign(message, data["delta"], { usage: data["usage"] });
    }
    if (event !== "content_block_delta") continue;
    const block = message.content[index] ?? {};
    const { type, ...delta } = data["delta"] as Block;
    if (type === "input_json_delta") block["input"] = JSON.parse(String(delta["partial_json"]));
    else for (const [name, text] of Object.entries(delta)) block[name] = `${block[name]}${text}`;
  }
  expect(message).toEqual(plain(messageOf(parts)) as never);
});

test("messageEvents() without anything said begin and end", () => {
  const nothing = messageParts(answerOf({ content: "" }), []);
  expect(eventsOf(messageEvents(nothing)).map(({ event }) => event)).toEqual([
    "message_start",
    "message_delta",
    "message_stop",
  ]);
});
