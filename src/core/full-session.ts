// spec: docs/clients.md, "Settings of a session"
/**
 * The reply to a turn for which a session has no room: an empty message that ended by length, which
 * no backend was asked for.
 */
import { writeJson } from "../json/lossless.ts";
import type { JsonObject, JsonValue } from "../json/values.ts";

/** Whether a replayed message is the reply of a full session, as clients spell it. */
export function isFullSessionReply(message: JsonObject): boolean {
  const isAbsent = (name: string): boolean => {
    const value = message.get(name) ?? null;
    return value === null || value === "" || (Array.isArray(value) && value.length === 0);
  };
  return message.get("role") === "assistant" && isAbsent("content") && isAbsent("tool_calls");
}

/** @param model as the request names it; null when it names none */
export function fullSessionCompletion(
  turnId: string,
  model: JsonValue,
  promptTokens: number,
): { response: JsonObject; choice: JsonObject; assistantMessage: JsonObject; text: string } {
  const assistantMessage: JsonObject = new Map<string, JsonValue>([
    ["role", "assistant"],
    ["content", ""],
  ]);
  const choice: JsonObject = new Map<string, JsonValue>([
    ["index", 0],
    ["message", assistantMessage],
    ["logprobs", null],
    ["finish_reason", "length"],
  ]);
  const response: JsonObject = new Map<string, JsonValue>([
    ["id", `chatcmpl-${turnId}`],
    ["object", "chat.completion"],
    ["created", Math.floor(Date.now() / 1000)],
    ["model", model ?? ""],
    ["choices", [choice]],
    [
      "usage",
      new Map<string, JsonValue>([
        ["prompt_tokens", promptTokens],
        ["completion_tokens", 0],
        ["total_tokens", promptTokens],
      ]),
    ],
  ]);
  return { response, choice, assistantMessage, text: writeJson(response) };
}
