import { describe, expect, test } from "bun:test";
import { responseEvents } from "../../../src/protocols/openai-responses/events.ts";
import { responseParts } from "../../../src/protocols/openai-responses/reply.ts";
import { answerOf, call, eventsOf, jsonObject, plain } from "../answers.ts";

const offered = new Map([
  ["patch", { name: "patch", namespace: null, isCustom: true, clientTool: null }],
]);

function streamed(message: object, choice: object = {}) {
  const request = jsonObject({ reasoning: { summary: "auto" } });
  const asked = { request, offered };
  const parts = responseParts(answerOf(message, { choice }), asked);
  return { parts, events: eventsOf(responseEvents(parts)) };
}

const said = {
  content: "hi",
  reasoning_content: "why",
  tool_calls: [call("f", '{"a": 1.0}'), call("patch", '{"input": "x"}')],
};

describe("responseEvents()", () => {
  test("come in the protocol's order, numbered", () => {
    const { events } = streamed(said);
    expect(events.map(({ event }) => event.replace(/^response\./, ""))).toEqual([
      "created",
      "in_progress",
      "output_item.added",
      "reasoning_summary_part.added",
      "reasoning_summary_text.delta",
      "reasoning_summary_text.done",
      "reasoning_summary_part.done",
      "content_part.added",
      "reasoning_text.delta",
      "reasoning_text.done",
      "content_part.done",
      "output_item.done",
      "output_item.added",
      "content_part.added",
      "output_text.delta",
      "output_text.done",
      "content_part.done",
      "output_item.done",
      "output_item.added",
      "function_call_arguments.delta",
      "function_call_arguments.done",
      "output_item.done",
      "output_item.added",
      "custom_tool_call_input.delta",
      "custom_tool_call_input.done",
      "output_item.done",
      "completed",
    ]);
    for (const [index, { event, data }] of events.entries()) {
      expect(data).toMatchObject({ type: event, sequence_number: index });
    }
  });

  test("begin empty and end with the whole response", () => {
    const { parts, events } = streamed(said);
    expect(events[0]?.data["response"]).toMatchObject({
      status: "in_progress",
      output: [],
      usage: null,
    });
    expect(events.at(-1)?.data["response"]).toEqual(plain(parts.whole) as never);
  });

  test("tell of each item where it stands", () => {
    const { parts, events } = streamed(said);
    const done = events.filter(({ event }) => event === "response.output_item.done");
    expect(done.map(({ data }) => [data["output_index"], data["item"]])).toEqual(
      parts.items.map((item, index) => [index, plain(item)]),
    );
    const call = events.find(({ event }) => event === "response.function_call_arguments.done");
    expect(call?.data).toMatchObject({ name: "f", arguments: '{"a": 1.0}', output_index: 2 });
    const added = events.filter(({ event }) => event === "response.output_item.added");
    expect(added.map(({ data }) => data["item"])).toMatchObject([
      { type: "reasoning", summary: [], content: [], status: "in_progress" },
      { type: "message", content: [] },
      { type: "function_call", arguments: "" },
      { type: "custom_tool_call", input: "" },
    ]);
  });

  test("end as incomplete where the response is", () => {
    const { events } = streamed({ content: "" }, { finish_reason: "length" });
    expect(events.at(-1)?.event).toBe("response.incomplete");
    expect(events.some(({ event }) => event === "response.output_text.delta")).toBe(false);
  });
});
