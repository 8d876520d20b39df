// spec: Anthropic API reference, "Streaming messages"
/**
 * A complete message as the events of a stream.
 *
 *   message_start  { content_block_start  content_block_delta+  content_block_stop }*
 *   message_delta  message_stop
 *
 * Contract   a block comes in one delta, a thinking block with its signature after it. Assembled by
 *            a client, the events give the message that is answered without a stream.
 */
import type { JsonObject, JsonValue } from "../../json/values.ts";
import { wellFormedJson } from "../../json/well-formed-json.ts";
import { object } from "../members.ts";
import type { MessageParts } from "./reply.ts";

export function messageEvents(parts: MessageParts): string {
  const events = [
    object({ type: "message_start", message: emptyMessage(parts) }),
    ...parts.blocks.flatMap(blockEvents),
    object({
      type: "message_delta",
      delta: object({ stop_reason: parts.stopReason, stop_sequence: parts.stopSequence }),
      usage: parts.usage,
    }),
    object({ type: "message_stop" }),
  ];
  return events
    .map((event) => `event: ${event.get("type")}\ndata: ${wellFormedJson(event)}\n\n`)
    .join("");
}

function emptyMessage({ head, usage }: MessageParts): JsonObject {
  return new Map<string, JsonValue>([
    ...head,
    ["content", []],
    ["stop_reason", null],
    ["stop_sequence", null],
    ["usage", new Map(usage).set("output_tokens", 0)],
  ]);
}

function blockEvents(block: JsonObject, index: number): JsonObject[] {
  const { start, deltas } = streamed(block);
  return [
    object({ type: "content_block_start", index, content_block: start }),
    ...deltas.map((delta) => object({ type: "content_block_delta", index, delta })),
    object({ type: "content_block_stop", index }),
  ];
}

function streamed(block: JsonObject): { start: JsonObject; deltas: JsonObject[] } {
  const of = (name: string): JsonValue => block.get(name) ?? null;
  switch (block.get("type")) {
    case "thinking":
      return {
        start: object({ type: "thinking", thinking: "", signature: "" }),
        deltas: [
          object({ type: "thinking_delta", thinking: of("thinking") }),
          object({ type: "signature_delta", signature: of("signature") }),
        ],
      };
    case "tool_use": {
      const partialJson = wellFormedJson(of("input"));
      return {
        start: object({ type: "tool_use", id: of("id"), name: of("name"), input: new Map() }),
        deltas: [object({ type: "input_json_delta", partial_json: partialJson })],
      };
    }
    default:
      return {
        start: object({ type: "text", text: "" }),
        deltas: [object({ type: "text_delta", text: of("text") })],
      };
  }
}
