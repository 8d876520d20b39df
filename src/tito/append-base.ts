/**
 * What an appended run is rendered behind: a few messages that make it render as it would behind
 * the whole history.
 */

import { isTruthy } from "../json/python-truth.ts";
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
    ["tool_calls", isTruthy(toolCalls) ? (toolCalls ?? []) : []],
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
  if (caller === undefined || caller === turn) return [turn];
  const calls: JsonObject = new Map<string, JsonValue>([
    ["role", "assistant"],
    ["tool_calls", caller.get("tool_calls") ?? []],
  ]);
  return [calls, turn];
};
