/**
 * The generated message of a chat completion, in the parts that other protocols have for it.
 *
 * Contract   reasoning and content are null where a client need not see them: nothing was said, or
 *            white space alone before a call. Every call has an id, and arguments that are a JSON
 *            object.
 */
import { callsOf } from "../json/chat-message.ts";
import { readableArguments } from "../json/readable-arguments.ts";
import type { JsonObject, JsonValue } from "../json/values.ts";

export interface GeneratedMessage {
  readonly reasoning: string | null;
  readonly content: string | null;
  readonly calls: readonly GeneratedCall[];
}

export interface GeneratedCall {
  readonly id: string;
  readonly name: string;
  /** JSON text of an object, as the model wrote it where that is one. */
  readonly argumentsText: string;
}

/** Of a call that the backend gave no id: it says which call of which reply it is. */
export const standInCallId = (turnId: string, index: number): string => `call_${turnId}_${index}`;

/** @param turnId names the calls of a backend that gives them no id */
export function readGeneratedMessage(message: JsonObject, turnId: string): GeneratedMessage {
  const calls = callsOf(message).map((call, index) => readCall(call, standInCallId(turnId, index)));
  const content = textOrNull(message.get("content"));
  const isSeen = content !== null && (calls.length === 0 || content.trim() !== "");
  return {
    reasoning: textOrNull(message.get("reasoning_content")),
    content: isSeen ? content : null,
    calls,
  };
}

function textOrNull(value: JsonValue | undefined): string | null {
  return typeof value === "string" && value !== "" ? value : null;
}

function readCall(call: JsonObject, standInId: string): GeneratedCall {
  const called = call.get("function");
  const of = (name: string) => (called instanceof Map ? (called.get(name) ?? null) : null);
  const id = call.get("id");
  const name = of("name");
  return {
    id: typeof id === "string" && id !== "" ? id : standInId,
    name: typeof name === "string" ? name : "",
    argumentsText: readableArguments(of("arguments")) ?? "{}",
  };
}
