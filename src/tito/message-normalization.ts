/**
 * Assistant messages in the form that renderers expect: content that is null or absent becomes "",
 * and tool call arguments that are JSON text become values.
 *
 * Contract   copies what it changes; the client's messages stay as they were sent.
 * Reports    RenderError for arguments that are not JSON and for tool calls that are not objects.
 */
import { errorText } from "../errors.ts";
import { JsonSyntaxError, parseJson } from "../json/lossless.ts";
import { isTruthy } from "../json/python-truth.ts";
import type { JsonObject, JsonValue } from "../json/values.ts";
import { RenderError } from "./render-error.ts";

/** @param options.parseArguments false leaves arguments that are text to the renderer */
export function normalizeMessages(
  messages: readonly JsonObject[],
  options: { parseArguments: boolean },
): JsonObject[] {
  return messages.map((message, index) => {
    if (message.get("role") !== "assistant") return message;
    const toolCalls = message.get("tool_calls");
    const hasContent = (message.get("content") ?? null) !== null;
    if (hasContent && !Array.isArray(toolCalls)) return message;
    const normalized = new Map(message);
    if (!hasContent) normalized.set("content", "");
    if (Array.isArray(toolCalls)) {
      const calls = toolCalls.map((call, position) =>
        normalizeToolCall(call, options.parseArguments, index, `.tool_calls[${position}]`),
      );
      normalized.set("tool_calls", calls);
    }
    return normalized;
  });
}

function normalizeToolCall(
  call: JsonValue,
  parseArguments: boolean,
  messageIndex: number,
  where: string,
): JsonValue {
  if (!(call instanceof Map)) throw new RenderError(messageIndex, `${where} must be an object`);
  const called = call.get("function");
  if (!isTruthy(called)) return call;
  if (!(called instanceof Map)) {
    throw new RenderError(messageIndex, `${where}.function must be an object`);
  }
  const text = called.get("arguments");
  if (!parseArguments || typeof text !== "string") return call;
  const value = parseToolArguments(text, messageIndex, `${where}.function.arguments`);
  return new Map(call).set("function", new Map(called).set("arguments", value));
}

/** @throws RenderError when the text is not JSON */
export function parseToolArguments(text: string, messageIndex: number, where: string): JsonValue {
  try {
    return parseJson(text);
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error;
    throw new RenderError(messageIndex, `${where} is not valid JSON: ${errorText(error)}`, {
      cause: error,
    });
  }
}
