/**
 * Members of messages as both DeepSeek encoders read and write them.
 *
 * Reports    RenderError for tools and tool calls that lack what they must have.
 */
import { print } from "../../chat-template/printing.ts";
import { pythonJson } from "../../json/python-json.ts";
import { isTruthy } from "../../json/python-truth.ts";
import type { JsonObject, JsonValue } from "../../json/values.ts";
import { RenderError } from "../render-error.ts";
import { parameterElement, responseFormatBlock } from "./markers.ts";

export interface ToolCall {
  /** Place in the message, for errors: ".tool_calls[0].function". */
  readonly where: string;
  readonly name: JsonValue;
  readonly arguments: JsonValue;
}

export function toolCallsOf(message: JsonObject, index: number): ToolCall[] {
  const calls = message.get("tool_calls");
  if (!isTruthy(calls)) return [];
  if (!Array.isArray(calls)) throw new RenderError(index, ".tool_calls must be a list");
  return calls.map((call, position) => {
    const where = `.tool_calls[${position}].function`;
    const called = call instanceof Map ? call.get("function") : undefined;
    const name = called instanceof Map ? called.get("name") : undefined;
    const toolArguments = called instanceof Map ? called.get("arguments") : undefined;
    if (name === undefined || toolArguments === undefined) {
      throw new RenderError(index, `${where} must be an object with "name" and "arguments"`);
    }
    return { where, name, arguments: toolArguments };
  });
}

/** Arguments as one element a line: texts as they are, other values as JSON. */
export function encodeParameters(parameters: JsonObject): string {
  const elements = Array.from(parameters, ([name, value]) =>
    typeof value === "string"
      ? parameterElement(name, true, value)
      : parameterElement(name, false, pythonJson(value)),
  );
  return elements.join("\n");
}

/** The tools of a message as one JSON schema a line; "" when there are none. */
export function toolSchemas(message: JsonObject, index: number): string {
  const tools = message.get("tools");
  if (!isTruthy(tools)) return "";
  if (!Array.isArray(tools)) throw new RenderError(index, ".tools must be a list");
  const schemas = tools.map((tool, position) => {
    const described = tool instanceof Map ? tool.get("function") : undefined;
    if (described !== undefined) return pythonJson(described);
    throw new RenderError(index, `.tools[${position}] must be an object with "function"`);
  });
  return schemas.join("\n");
}

/** "" when a message asks for no format of the reply. */
export function encodeResponseFormat(message: JsonObject): string {
  const format = message.get("response_format") ?? null;
  return isTruthy(format) ? responseFormatBlock(pythonJson(format)) : "";
}

/** A value as Python's str.format writes it: null and an absent one as "None". */
export function textOf(value: JsonValue | undefined): string {
  return print(value ?? null);
}

/** The same, with "" for everything that is false in Python. */
export function textOrEmpty(value: JsonValue | undefined): string {
  return isTruthy(value) ? textOf(value) : "";
}
