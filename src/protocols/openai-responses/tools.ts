// spec: OpenAI API reference, "Create a model response": tools, tool_choice
/**
 * Tools of a Responses request as those of a chat completion.
 *
 * Contract   functions are passed; a custom tool, which takes text, becomes a function of one
 *            string, `input`. Tools that OpenAI hosts (web_search, ...) are left out: nothing here
 *            could run them, and agents offer them unasked.
 * Reports    InvalidRequestError.
 */
import { InvalidRequestError } from "../../errors.ts";
import type { JsonObject, JsonValue } from "../../json/values.ts";
import { object, requireList, requireObject, requireText } from "../members.ts";

export interface Tools {
  /** Undefined when there are none. */
  readonly tools: JsonObject[] | undefined;
  /** Names of those that take text. */
  readonly customNames: ReadonlySet<string>;
}

export function readTools(value: JsonValue): Tools {
  const tools: JsonObject[] = [];
  const customNames = new Set<string>();
  for (const [index, item] of (value === null ? [] : requireList(value, "tools")).entries()) {
    const where = `tools[${index}]`;
    const tool = requireObject(item, where);
    const type = requireText(tool.get("type"), `${where}.type`);
    if (type !== "function" && type !== "custom") continue;
    const name = requireText(tool.get("name"), `${where}.name`);
    if (type === "custom") customNames.add(name);
    tools.push(
      object({
        type: "function",
        function: object({
          name,
          description: tool.get("description") ?? undefined,
          parameters: type === "custom" ? textParameter() : (tool.get("parameters") ?? undefined),
        }),
      }),
    );
  }
  return { tools: tools.length === 0 ? undefined : tools, customNames };
}

function textParameter(): JsonObject {
  return object({
    type: "object",
    properties: object({ input: object({ type: "string" }) }),
    required: ["input"],
  });
}

export function readToolChoice(value: JsonValue): JsonValue | undefined {
  if (value === null) return undefined;
  if (typeof value === "string") return value;
  const choice = requireObject(value, "tool_choice");
  const type = choice.get("type");
  if (type === "allowed_tools") return choice.get("mode") ?? "auto";
  if (type === "function" || type === "custom") {
    const name = requireText(choice.get("name"), "tool_choice.name");
    return object({ type: "function", function: object({ name }) });
  }
  throw new InvalidRequestError(
    "tool_choice must be auto, required, none, or name a function or custom tool",
  );
}
