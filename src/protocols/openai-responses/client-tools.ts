// spec: OpenAI API reference, "Create a model response": tools local_shell, shell, apply_patch,
// tool_search, and the items of their calls
/**
 * Tools that OpenAI describes to its own models and the client runs: functions here, with the
 * parameters that the items of their calls have.
 *
 * Contract   a call whose arguments are such parameters goes out as the item of its tool; another
 *            one as a function's call, which the client can refuse. What comes back of an item
 *            becomes the arguments that it was made of, but for their spelling.
 */
import type { JsonObject, JsonValue } from "../../json/values.ts";
import { object, requireObject } from "../members.ts";

export interface ClientTool {
  /** Type of the tool, and name of its function. */
  readonly name: string;
  readonly description: string;
  readonly parameters: JsonObject;
  /** Type of the item of a call, and how the ids of such items begin. */
  readonly callType: string;
  readonly idPrefix: string;
  /** Members of the item beside the common ones; null for arguments that are not the tool's. */
  readonly write: (args: JsonObject) => Readonly<Record<string, JsonValue>> | null;
  /** Arguments of a call that came back. */
  readonly read: (item: JsonObject, where: string) => JsonObject;
}

const text = object({ type: "string" });
const integer = object({ type: "integer" });
const texts = object({ type: "array", items: text });

const localShell: ClientTool = {
  name: "local_shell",
  description: "Runs a program on the user's machine and returns what it prints.",
  parameters: parameters(["command"], {
    command: texts,
    working_directory: text,
    timeout_ms: integer,
  }),
  callType: "local_shell_call",
  idPrefix: "lsh",
  write(args) {
    if (!isTexts(args.get("command"))) return null;
    return {
      action: new Map([...object({ type: "exec", env: new Map() }), ...args]).set("type", "exec"),
    };
  },
  read: (item, where) => without(requireObject(item.get("action"), `${where}.action`), ["type"]),
};

const shell: ClientTool = {
  name: "shell",
  description: "Runs shell commands on the user's machine and returns what each of them prints.",
  parameters: parameters(["commands"], {
    commands: texts,
    timeout_ms: integer,
    max_output_length: integer,
  }),
  callType: "shell_call",
  idPrefix: "sh",
  write(args) {
    if (!isTexts(args.get("commands"))) return null;
    const limits = object({ timeout_ms: null, max_output_length: null });
    return { action: new Map([...limits, ...args]) };
  },
  read: (item, where) => requireObject(item.get("action"), `${where}.action`),
};

const patchTypes: readonly JsonValue[] = ["create_file", "update_file", "delete_file"];

const applyPatch: ClientTool = {
  name: "apply_patch",
  description:
    "Creates, updates or deletes a file. The diff is in the V4A format; a file that is deleted " +
    "needs none.",
  parameters: parameters(["type", "path"], {
    type: object({ type: "string", enum: [...patchTypes] }),
    path: text,
    diff: text,
  }),
  callType: "apply_patch_call",
  idPrefix: "apc",
  write(args) {
    const type = args.get("type") ?? null;
    const needed = type === "delete_file" ? ["path"] : ["path", "diff"];
    const isPatch = patchTypes.includes(type) && needed.every((name) => isText(args.get(name)));
    return isPatch ? { operation: args } : null;
  },
  read: (item, where) => requireObject(item.get("operation"), `${where}.operation`),
};

const toolSearch: ClientTool = {
  name: "tool_search",
  description: "Searches for further tools.",
  parameters: parameters(["query"], { query: text, limit: integer }),
  callType: "tool_search_call",
  idPrefix: "tsc",
  write: (args) => ({ execution: "client", arguments: args }),
  read: (item, where) => requireObject(item.get("arguments"), `${where}.arguments`),
};

export const clientTools: readonly ClientTool[] = [localShell, shell, applyPatch, toolSearch];

function parameters(
  required: readonly string[],
  properties: Readonly<Record<string, JsonValue>>,
): JsonObject {
  return object({ type: "object", properties: object(properties), required: [...required] });
}

function isText(value: JsonValue | undefined): boolean {
  return typeof value === "string";
}

function isTexts(value: JsonValue | undefined): boolean {
  return Array.isArray(value) && value.every(isText);
}

function without(given: JsonObject, names: readonly string[]): JsonObject {
  return new Map([...given].filter(([name]) => !names.includes(name)));
}
