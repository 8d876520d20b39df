// spec: OpenAI API reference, "Create a model response": input, outputs of tools
/**
 * What a tool returned, as a message of the role "tool".
 *
 * Contract   text is passed. What a shell or a search returns in parts is their JSON; of a patch,
 *            whether it was applied, and what there is to say. Tools that were found stand there
 *            under the names by which the model can call them.
 * Reports    InvalidRequestError for parts that are no text.
 */
import type { JsonObject } from "../../json/values.ts";
import { wellFormedJson } from "../../json/well-formed-json.ts";
import { object, requireList, requireObject, requireText, textOf } from "../members.ts";
import { functionsOf } from "./tools.ts";

export const outputTypes: readonly string[] = [
  "function_call_output",
  "custom_tool_call_output",
  "local_shell_call_output",
  "shell_call_output",
  "apply_patch_call_output",
  "tool_search_output",
];

export const textTypes = ["input_text", "output_text", "text"];

/**
 * @param item of one of `outputTypes`
 * @param callIds ids of calls by those of their items: a local shell's output names the item
 */
export function readOutputItem(
  item: JsonObject,
  where: string,
  callIds: ReadonlyMap<string, string>,
): JsonObject {
  return object({
    role: "tool",
    tool_call_id: callIdOf(item, where, callIds),
    content: outputText(item, where),
  });
}

function callIdOf(item: JsonObject, where: string, callIds: ReadonlyMap<string, string>): string {
  const given = item.get("call_id") ?? null;
  if (given !== null || item.get("type") !== "local_shell_call_output") {
    return requireText(given, `${where}.call_id`);
  }
  const id = requireText(item.get("id"), `${where}.id`);
  return callIds.get(id) ?? id;
}

function outputText(item: JsonObject, where: string): string {
  const output = item.get("output") ?? "";
  switch (item.get("type")) {
    case "shell_call_output":
      return typeof output === "string" ? output : wellFormedJson(output);
    case "apply_patch_call_output": {
      const said = requireText(output, `${where}.output`);
      const status = requireText(item.get("status") ?? "completed", `${where}.status`);
      return said === "" ? status : `${status}\n${said}`;
    }
    case "tool_search_output":
      return wellFormedJson(
        toolsFound(item, where).flatMap(([tool, place]) =>
          functionsOf(tool, place).map((made) => made.get("function") ?? null),
        ),
      );
    default:
      return textOf(output, `${where}.output`, textTypes);
  }
}

/** The tools that a search returned, each with its place. */
export function toolsFound(item: JsonObject, where: string): [tool: JsonObject, place: string][] {
  return requireList(item.get("tools") ?? [], `${where}.tools`).map((tool, index) => {
    const place = `${where}.tools[${index}]`;
    return [requireObject(tool, place), place];
  });
}
