import { describe, expect, test } from "bun:test";
import {
  type ClientTool,
  clientTools,
} from "../../../src/protocols/openai-responses/client-tools.ts";
import { jsonObject, plain } from "../answers.ts";

function tool(name: string): ClientTool {
  const found = clientTools.find((one) => one.name === name);
  if (found === undefined) throw new Error(name);
  return found;
}

function written(name: string, args: object): unknown {
  const members = tool(name).write(jsonObject(args));
  return members === null ? null : plain(new Map(Object.entries(members)));
}

describe("clientTools", () => {
  test.each([
    [
      "local_shell",
      { command: ["ls", "-l"], timeout_ms: 5 },
      { action: { type: "exec", env: {}, command: ["ls", "-l"], timeout_ms: 5 } },
    ],
    [
      "shell",
      { commands: ["ls"], timeout_ms: 5 },
      { action: { timeout_ms: 5, max_output_length: null, commands: ["ls"] } },
    ],
    [
      "apply_patch",
      { type: "update_file", path: "a", diff: "@@" },
      { operation: { type: "update_file", path: "a", diff: "@@" } },
    ],
    [
      "apply_patch",
      { type: "delete_file", path: "a" },
      { operation: { type: "delete_file", path: "a" } },
    ],
    [
      "tool_search",
      { query: "calendar", limit: 1 },
      { execution: "client", arguments: { query: "calendar", limit: 1 } },
    ],
  ])("%s writes %j as its item has it, and reads it back", (name, args, members) => {
    expect(written(name, args)).toEqual(members);
    expect(plain(tool(name).read(jsonObject(members), "item"))).toMatchObject(args);
  });

  test.each([
    ["local_shell", { command: "ls" }],
    ["local_shell", {}],
    ["shell", { commands: [7] }],
    ["apply_patch", { type: "rename_file", path: "a" }],
    ["apply_patch", { type: "create_file", path: "a" }],
  ])("%s does not take %j for its own", (name, args) => {
    expect(written(name, args)).toBeNull();
  });

  test("refuse an item without what the call says", () => {
    expect(() => tool("shell").read(jsonObject({}), "input[0]")).toThrow(
      "input[0].action must be an object, got nothing",
    );
  });
});
