/**
 * Names of tools that stand in a namespace, as Codex and its MCP servers have them.
 *
 * Chat completions know no namespaces, so such a tool is a function of both names: mcp__db and
 * lookup are mcp__db__lookup.
 *
 * Contract   the same for a tool that is offered and for a call that comes back. The way back to
 *            both names is the request's own list of tools.
 */
export interface ToolName {
  readonly name: string;
  /** Null for a tool that stands in none. */
  readonly namespace: string | null;
}

const delimiter = "__";

export function functionName({ name, namespace }: ToolName): string {
  if (namespace === null) return name;
  return `${namespace.replace(/_+$/, "")}${delimiter}${name.replace(/^_+/, "")}`;
}
