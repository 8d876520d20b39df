// spec: Anthropic API reference, "Create a Message": response
/**
 * A turn's reply as an Anthropic message.
 *
 * Contract   blocks stand in the order thinking, text, tool_use, and say all that the model said.
 *            Usage counts the session's own tokens; nothing is told of caches.
 */
import { parseJson } from "../../json/lossless.ts";
import type { JsonObject, JsonValue } from "../../json/values.ts";
import { type GeneratedMessage, readGeneratedMessage } from "../generated-message.ts";
import { object } from "../members.ts";
import type { TurnAnswer } from "../turn-protocol.ts";

/**
 * Clients send a thinking block back only with a signature. This one proves nothing: what the
 * session holds is what counts.
 */
const thinkingSignature = "c2Vzc2lvbi1zZXJ2ZXI=";

export interface MessageParts {
  /** The message without content, as a stream begins with it. */
  readonly head: JsonObject;
  readonly blocks: readonly JsonObject[];
  readonly stopReason: string;
  readonly stopSequence: string | null;
  readonly usage: JsonObject;
}

/** @param stopSequences of the request */
export function messageParts(answer: TurnAnswer, stopSequences: readonly string[]): MessageParts {
  const { turnId, response, choice, assistantMessage, promptTokens, completionTokens } = answer;
  const matched = choice.get("matched_stop");
  const stopSequence =
    typeof matched === "string" && stopSequences.includes(matched) ? matched : null;
  const model = response.get("model");
  return {
    head: object({
      id: `msg_${turnId}`,
      type: "message",
      role: "assistant",
      model: typeof model === "string" ? model : "",
    }),
    blocks: blocksOf(readGeneratedMessage(assistantMessage, turnId)),
    stopReason: stopReasonOf(choice.get("finish_reason") ?? null, stopSequence),
    stopSequence,
    usage: object({
      input_tokens: promptTokens,
      cache_creation_input_tokens: 0,
      cache_read_input_tokens: 0,
      output_tokens: completionTokens,
    }),
  };
}

export function messageOf(parts: MessageParts): JsonObject {
  return new Map<string, JsonValue>([
    ...parts.head,
    ["content", [...parts.blocks]],
    ["stop_reason", parts.stopReason],
    ["stop_sequence", parts.stopSequence],
    ["usage", parts.usage],
  ]);
}

function blocksOf({ reasoning, content, calls }: GeneratedMessage): JsonObject[] {
  const blocks = calls.map(({ id, name, argumentsText }) =>
    object({ type: "tool_use", id, name, input: parseJson(argumentsText) }),
  );
  if (content !== null) blocks.unshift(object({ type: "text", text: content }));
  if (reasoning !== null) {
    blocks.unshift(object({ type: "thinking", thinking: reasoning, signature: thinkingSignature }));
  }
  return blocks;
}

function stopReasonOf(finishReason: JsonValue, stopSequence: string | null): string {
  switch (finishReason) {
    case "tool_calls":
      return "tool_use";
    case "length":
      return "max_tokens";
    case "content_filter":
      return "refusal";
    default:
      return stopSequence === null ? "end_turn" : "stop_sequence";
  }
}
