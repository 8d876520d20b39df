import { expect, test } from "bun:test";
import { functionName } from "../../../src/protocols/openai-responses/tool-names.ts";

test.each([
  [null, "f", "f"],
  [null, "__f", "__f"],
  ["mcp__db", "lookup", "mcp__db__lookup"],
  ["mcp__db__", "_lookup", "mcp__db__lookup"],
  ["multi_agent_v1", "close_agent", "multi_agent_v1__close_agent"],
] as const)("functionName() of %j and %j is %s", (namespace, name, expected) => {
  expect(functionName({ name, namespace })).toBe(expected);
});
