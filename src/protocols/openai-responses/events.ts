// spec: OpenAI API reference, "Streaming events"
/**
 * A complete response as the events of a stream.
 *
 *   response.created  response.in_progress
 *   { response.output_item.added  <deltas and dones of the item>  response.output_item.done }*
 *   response.completed or response.incomplete
 *
 * Contract   each text comes in one delta; events are numbered from 0. The last event holds the
 *            response that is answered without a stream.
 */
import type { JsonObject, JsonValue } from "../../json/values.ts";
import { wellFormedJson } from "../../json/well-formed-json.ts";
import { object } from "../members.ts";
import { outputText, type ResponseParts } from "./reply.ts";

/** An event before it is numbered. */
type Event = Readonly<Record<string, JsonValue>> & { readonly type: string };

export function responseEvents({ begun, whole, items }: ResponseParts): string {
  const isComplete = whole.get("status") === "completed";
  const events: Event[] = [
    { type: "response.created", response: begun },
    { type: "response.in_progress", response: begun },
    ...items.flatMap(itemEvents),
    { type: isComplete ? "response.completed" : "response.incomplete", response: whole },
  ];
  return events
    .map(({ type, ...members }, index) => {
      const data = object({ type, sequence_number: index, ...members });
      return `event: ${type}\ndata: ${wellFormedJson(data)}\n\n`;
    })
    .join("");
}

function itemEvents(item: JsonObject, outputIndex: number): Event[] {
  const place = { output_index: outputIndex };
  const { begun, events } = streamed(item, { item_id: item.get("id") ?? null, ...place });
  return [
    { type: "response.output_item.added", ...place, item: begun.set("status", "in_progress") },
    ...events,
    { type: "response.output_item.done", ...place, item },
  ];
}

type Place = Readonly<Record<string, JsonValue>>;

function streamed(item: JsonObject, place: Place): { begun: JsonObject; events: Event[] } {
  switch (item.get("type")) {
    case "reasoning":
      return {
        begun: new Map(item).set("summary", []).set("content", []),
        events: [...summaryEvents(item, place), ...reasoningEvents(item, place)],
      };
    case "message":
      return { begun: new Map(item).set("content", []), events: textEvents(item, place) };
    case "custom_tool_call":
      return streamedInput(item, place, "input", "response.custom_tool_call_input");
    case "function_call":
      return streamedInput(item, place, "arguments", "response.function_call_arguments");
    default:
      // Calls of the client's own tools come as a whole.
      return { begun: new Map(item), events: [] };
  }
}

function summaryEvents(item: JsonObject, place: Place): Event[] {
  return partsOf(item, "summary").flatMap((part, index) => {
    const at = { ...place, summary_index: index };
    const text = part.get("text") ?? "";
    const begun = object({ type: "summary_text", text: "" });
    return [
      { type: "response.reasoning_summary_part.added", ...at, part: begun },
      { type: "response.reasoning_summary_text.delta", ...at, delta: text },
      { type: "response.reasoning_summary_text.done", ...at, text },
      { type: "response.reasoning_summary_part.done", ...at, part },
    ];
  });
}

function reasoningEvents(item: JsonObject, place: Place): Event[] {
  return partsOf(item, "content").flatMap((part, index) => {
    const at = { ...place, content_index: index };
    const text = part.get("text") ?? "";
    const begun = object({ type: "reasoning_text", text: "" });
    return [
      { type: "response.content_part.added", ...at, part: begun },
      { type: "response.reasoning_text.delta", ...at, delta: text },
      { type: "response.reasoning_text.done", ...at, text },
      { type: "response.content_part.done", ...at, part },
    ];
  });
}

function textEvents(item: JsonObject, place: Place): Event[] {
  return partsOf(item, "content").flatMap((part, index) => {
    const at = { ...place, content_index: index };
    const text = part.get("text") ?? "";
    const delta: Event = {
      type: "response.output_text.delta",
      ...at,
      delta: text,
      logprobs: [],
    };
    return [
      { type: "response.content_part.added", ...at, part: outputText("") },
      // An empty delta says nothing.
      ...(text === "" ? [] : [delta]),
      { type: "response.output_text.done", ...at, text, logprobs: [] },
      { type: "response.content_part.done", ...at, part },
    ];
  });
}

function streamedInput(
  item: JsonObject,
  place: Place,
  member: string,
  eventName: string,
): { begun: JsonObject; events: Event[] } {
  const text = item.get(member) ?? "";
  return {
    begun: new Map(item).set(member, ""),
    events: [
      { type: `${eventName}.delta`, ...place, delta: text },
      { type: `${eventName}.done`, ...place, name: item.get("name") ?? "", [member]: text },
    ],
  };
}

function partsOf(item: JsonObject, member: string): JsonObject[] {
  const parts = item.get(member);
  if (!Array.isArray(parts)) return [];
  return parts.filter((part): part is JsonObject => part instanceof Map);
}
