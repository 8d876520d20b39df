/**
 * How the tools of a request differ from those that its session's prompt shows.
 *
 * A prompt only grows: it has the tools of the session's first turn, whatever the backend is told
 * later. A model cannot know of a tool that was added, and calls one that is gone.
 *
 * Contract   names in the order of the requests; a tool whose description or parameters differ is
 *            changed. The order of the tools does not count.
 */
import { jsonEqual } from "../json/python-equality.ts";
import type { JsonValue } from "../json/values.ts";
import { toolNamesLogged } from "../limits.ts";
import { ownText } from "../trajectory/own-copy.ts";
import type { ToolsChange } from "../trajectory/session.ts";

/** @returns null when the tools are the same */
export function toolsChange(shown: JsonValue, sent: JsonValue): ToolsChange | null {
  const before = byName(shown);
  const now = byName(sent);
  const change: ToolsChange = {
    added: [...now.keys()].filter((name) => !before.has(name)),
    removed: [...before.keys()].filter((name) => !now.has(name)),
    changed: [...now].flatMap(([name, tool]) =>
      before.has(name) && !jsonEqual(before.get(name) ?? null, tool) ? [name] : [],
    ),
  };
  return Object.values(change).some((names) => names.length > 0) ? change : null;
}

/** Shares no memory with the requests, whose texts its names are slices of. */
export function ownToolsChange({ added, removed, changed }: ToolsChange): ToolsChange {
  return {
    added: added.map(ownText),
    removed: removed.map(ownText),
    changed: changed.map(ownText),
  };
}

/** For the log: `added read_file, grep; removed ls`. */
export function describeToolsChange(change: ToolsChange): string {
  return (["added", "removed", "changed"] as const)
    .filter((kind) => change[kind].length > 0)
    .map((kind) => `${kind} ${listed(change[kind])}`)
    .join("; ");
}

function listed(names: readonly string[]): string {
  const more = names.length - toolNamesLogged;
  const shown = names.slice(0, toolNamesLogged).join(", ");
  return more > 0 ? `${shown} and ${more} more` : shown;
}

function byName(tools: JsonValue): Map<string, JsonValue> {
  const named = new Map<string, JsonValue>();
  for (const tool of Array.isArray(tools) ? tools : []) {
    if (!(tool instanceof Map)) continue;
    const called = tool.get("function");
    const described = called instanceof Map ? called : tool;
    const name = described.get("name");
    if (typeof name === "string") named.set(name, described);
  }
  return named;
}
