// spec: Anthropic API reference, "Create a Message": tools, tool_choice
/**
 * Anthropic's tools as those of a chat completion.
 *
 * Contract   a tool is a name, a description and a schema; what else it says is for Anthropic's own
 *            servers and left out, so that the prompt is that of the same tool over chat.
 * Reports    InvalidRequestError for tools that run at Anthropic, or whose schema only it knows.
 */
import { InvalidRequestError } from "../../errors.ts";
import type { JsonObject, JsonValue } from "../../json/values.ts";
import { object, requireList, requireObject, requireText } from "../members.ts";

/** Undefined when there are none. */
export function readTools(value: JsonValue): JsonObject[] | undefined {
  if (value === null) return undefined;
  const tools = requireList(value, "tools").map((item, index) => {
    const where = `tools[${index}]`;
    const tool = requireObject(item, where);
    const type = tool.get("type") ?? "custom";
    if (type !== "custom") {
      throw new InvalidRequestError(
        `${where} is ${JSON.stringify(String(type))}, a tool of Anthropic's: only tools with a ` +
          "name and an input_schema of their own can be taken",
      );
    }
    return object({
      type: "function",
      function: object({
        name: requireText(tool.get("name"), `${where}.name`),
        description: tool.get("description") ?? undefined,
        parameters: requireObject(tool.get("input_schema"), `${where}.input_schema`),
      }),
    });
  });
  return tools.length === 0 ? undefined : tools;
}

export interface ToolChoice {
  readonly toolChoice: JsonValue | undefined;
  readonly parallelToolCalls: boolean | undefined;
}

export function readToolChoice(value: JsonValue): ToolChoice {
  if (value === null) return { toolChoice: undefined, parallelToolCalls: undefined };
  const choice = requireObject(value, "tool_choice");
  return {
    toolChoice: readChoice(choice),
    parallelToolCalls: choice.get("disable_parallel_tool_use") === true ? false : undefined,
  };
}

function readChoice(choice: JsonObject): JsonValue {
  const type = choice.get("type") ?? null;
  switch (type) {
    case "auto":
    case "none":
      return type;
    case "any":
      return "required";
    case "tool":
      return object({
        type: "function",
        function: object({ name: requireText(choice.get("name"), "tool_choice.name") }),
      });
    default:
      throw new InvalidRequestError("tool_choice.type must be one of auto, any, tool, none");
  }
}
