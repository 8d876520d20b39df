/**
 * What an appended run is rendered behind: a few messages that make it render as it would behind
 * the whole history.
 *
 * A model may write anything as the arguments of a call, and often does before it is trained. The
 * base is cut off again and nothing behind it depends on them, so what no template can take stands
 * in it as {}.
 */

import { isTruthy } from "../json/python-truth.ts";
import { readableArguments } from "../json/readable-arguments.ts";
import type { JsonObject, JsonValue } from "../json/values.ts";
import type { AppendBase } from "./family.ts";

const dummySystem: JsonObject = new Map<string, JsonValue>([
  ["role", "system"],
  ["content", "dummy system"],
]);

/** A system message, and an assistant without text that makes the tool calls of the stored one. */
export const dummyConversation: AppendBase = (stored) => {
  const toolCalls = stored.at(-1)?.get("tool_calls");
  const assistant: JsonObject = new Map<string, JsonValue>([
    ["role", "assistant"],
    ["content", ""],
    ["reasoning_content", " "],
    ["tool_calls", isTruthy(toolCalls) ? renderableCalls(toolCalls ?? []) : []],
  ]);
  return [dummySystem, assistant];
};

/**
 * The stored turn itself and, when it calls no tools, the latest calls before it: DeepSeek V4 puts
 * tool results in the order of the latest calls, and nothing else before the stored turn changes
 * what follows it.
 */
export const latestTurns: AppendBase = (stored) => {
  const turn = stored.at(-1);
  if (turn === undefined) return [];
  const caller = stored.findLast(
    (message) => message.get("role") === "assistant" && isTruthy(message.get("tool_calls")),
  );
  if (caller === undefined || caller === turn) return [withRenderableCalls(turn)];
  const calls: JsonObject = new Map<string, JsonValue>([
    ["role", "assistant"],
    ["tool_calls", renderableCalls(caller.get("tool_calls") ?? [])],
  ]);
  return [calls, turn];
};

/** A generated message with arguments that every template can take, where it has others. */
export function withRenderableCalls(message: JsonObject): JsonObject {
  const toolCalls = message.get("tool_calls");
  if (!Array.isArray(toolCalls)) return message;
  return new Map(message).set("tool_calls", renderableCalls(toolCalls));
}

function renderableCalls(toolCalls: JsonValue): JsonValue {
  if (!Array.isArray(toolCalls)) return toolCalls;
  return toolCalls.map((call) => {
    const called = call instanceof Map ? call.get("function") : undefined;
    if (!(call instanceof Map && called instanceof Map)) return call;
    if (readableArguments(called.get("arguments") ?? null) !== null) return call;
    return new Map(call).set("function", new Map(called).set("arguments", "{}"));
  });
}
