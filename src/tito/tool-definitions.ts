// spec: sglang, entrypoints/openai/protocol.py, Tool and Function
/**
 * Tools of a request in the form that reaches a template: what sglang's `Tool.model_dump()` gives.
 *
 * Contract   members in sglang's order, defaults filled in, unknown members dropped, `parameters`
 *            as the client wrote them. Values are converted only where pydantic would.
 * Reports    RenderError that names the member and what was expected.
 */

import { isTruthy } from "../json/python-truth.ts";
import { JsonFloat, type JsonObject, type JsonValue } from "../json/values.ts";
import { RenderError } from "./render-error.ts";

/**
 * The tools of a request, or null when there are none.
 *
 * @param options.wrapBareFunctions takes `{"name": ...}` for `{"function": {"name": ...}}`
 */
export function canonicalTools(
  tools: JsonValue,
  options: { wrapBareFunctions: boolean },
): JsonObject[] | null {
  if (!isTruthy(tools)) return null;
  if (!Array.isArray(tools)) throw new RenderError(null, "tools must be a list of tools");
  return tools.map((tool, index) => {
    const where = `tools[${index}]`;
    if (!(tool instanceof Map)) throw new RenderError(null, `${where} must be an object`);
    if (tool.has("function")) return canonicalTool(tool, where);
    if (options.wrapBareFunctions) return canonicalTool(new Map([["function", tool]]), where);
    throw new RenderError(null, `${where}.function is missing: a function object is required`);
  });
}

/** The function of each tool, for templates that expect bare functions. */
export function bareFunctions(tools: readonly JsonObject[]): JsonValue[] {
  return tools.map((tool) => tool.get("function") ?? null);
}

function canonicalTool(tool: JsonObject, where: string): JsonObject {
  const type = tool.get("type");
  if (type !== undefined && typeof type !== "string") {
    throw new RenderError(null, `${where}.type must be a string`);
  }
  return new Map<string, JsonValue>([
    ["type", type ?? "function"],
    ["function", canonicalFunction(tool.get("function"), `${where}.function`)],
  ]);
}

function canonicalFunction(value: JsonValue | undefined, where: string): JsonObject {
  if (!(value instanceof Map)) throw new RenderError(null, `${where} must be an object`);
  const description = value.get("description") ?? null;
  if (description !== null && typeof description !== "string") {
    throw new RenderError(null, `${where}.description must be a string or null`);
  }
  const name = value.get("name");
  if (typeof name !== "string") throw new RenderError(null, `${where}.name must be a string`);
  const strict = value.has("strict") ? toBoolean(value.get("strict") ?? null) : false;
  if (strict === null) throw new RenderError(null, `${where}.strict must be a boolean`);
  return new Map<string, JsonValue>([
    ["description", description],
    ["name", name],
    ["parameters", value.get("parameters") ?? null],
    ["strict", strict],
  ]);
}

const trueWords: ReadonlySet<string> = new Set(["1", "on", "t", "true", "y", "yes"]);
const falseWords: ReadonlySet<string> = new Set(["0", "off", "f", "false", "n", "no"]);

/** pydantic's lax conversion to bool; null when it would refuse. */
function toBoolean(value: JsonValue): boolean | null {
  if (typeof value === "boolean") return value;
  const number = value instanceof JsonFloat ? value.value : value;
  if (number === 0) return false;
  if (number === 1) return true;
  if (typeof value !== "string") return null;
  const word = value.toLowerCase();
  if (trueWords.has(word)) return true;
  return falseWords.has(word) ? false : null;
}
