// spec: Kimi K2.5's tokenization_kimi.py, apply_chat_template
/**
 * What Kimi's tokenizer class adds to the variables of a template: two kwargs with defaults of its
 * own, and the tools as TypeScript beside the tools themselves, which it sorts.
 */
import { compareCodePoints } from "../../json/python-json.ts";
import type { JsonValue } from "../../json/values.ts";
import { typescriptDeclarations } from "./tool-declarations.ts";

/** Kwargs of a request win over these. */
export const kimiDefaults: readonly (readonly [name: string, value: JsonValue])[] = [
  ["thinking", true],
  ["preserve_thinking", false],
];

/** The variables that tools become; they win over kwargs. */
export function kimiToolVariables(tools: JsonValue): (readonly [name: string, value: JsonValue])[] {
  if (!Array.isArray(tools)) return [["tools", tools]];
  const sorted = tools.map(sortedDeep);
  const declarations = typescriptDeclarations(sorted);
  if (declarations === null) return [["tools", sorted]];
  return [
    ["tools", sorted],
    ["tools_ts_str", declarations],
  ];
}

/** The value with the keys of all objects in order. */
function sortedDeep(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(sortedDeep);
  if (!(value instanceof Map)) return value;
  const members = [...value].sort(([left], [right]) => compareCodePoints(left, right));
  return new Map(members.map(([name, member]) => [name, sortedDeep(member)]));
}
