// spec: Kimi K2.5's tool_declaration_ts.py
/**
 * Tools as TypeScript declarations, in which Kimi models read them: a namespace with one function
 * type a tool, descriptions and constraints as comments.
 *
 * Contract   null when a schema is outside of what the declarations express; the template then
 *            writes the tools as JSON, as the original does when it raises.
 * Limits     nesting as deep as JSON may be (limits.ts).
 */

import { isTruthy } from "../../json/python-truth.ts";
import type { JsonObject, JsonValue } from "../../json/values.ts";
import { SchemaReader } from "./schema-reader.ts";
import { describe, NotDeclarable } from "./schema-types.ts";

/** @param tools in the order and with the keys in which the template gets them */
export function typescriptDeclarations(tools: readonly JsonValue[]): string | null {
  try {
    const functions = tools.flatMap(functionOf).map(declareFunction);
    if (functions.length === 0) return "";
    return `# Tools\n\n## functions\nnamespace functions {\n${functions.join("\n")}\n}\n`;
  } catch (error) {
    if (error instanceof NotDeclarable) return null;
    throw error;
  }
}

/** The function of a tool; none for another type of tool. */
function functionOf(tool: JsonValue): JsonObject[] {
  if (!(tool instanceof Map)) throw new NotDeclarable();
  if (tool.get("type") !== "function") return [];
  const declared = tool.get("function");
  if (!isTruthy(declared)) return [];
  if (!(declared instanceof Map)) throw new NotDeclarable();
  return [declared];
}

function declareFunction(declared: JsonObject): string {
  const parameters = declared.get("parameters");
  const reader = new SchemaReader();
  const root = reader.readObject(isTruthy(parameters) ? (parameters ?? null) : new Map());
  const interfaces: string[] = [];
  const refersToItself = reader.refersToRoot;
  if (refersToItself) interfaces.push(`interface parameters ${root.writeUnsorted()}`);
  for (const [name, schema] of [...reader.definitions]) {
    const type = reader.read(schema).write("");
    if (!(schema instanceof Map)) throw new NotDeclarable();
    const description = schema.get("description") ?? "";
    const comment = isTruthy(description) ? `${describe(description, "")}\n` : "";
    interfaces.push(`${comment}interface ${name} ${type.text}`);
  }
  const name = declared.get("name") ?? "function";
  const argument = refersToItself ? "parameters" : root.write("").text;
  const description = declared.get("description") ?? null;
  const lines = [
    interfaces.join("\n"),
    isTruthy(description) ? describe(description, "") : "",
    `type ${String(name)} = (_: ${argument}) => any;`,
  ];
  return lines.filter((line) => line !== "").join("\n");
}
