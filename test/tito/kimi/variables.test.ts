import { expect, test } from "bun:test";
import { pythonJson } from "../../../src/json/python-json.ts";
import { kimiDefaults, kimiToolVariables } from "../../../src/tito/kimi/variables.ts";
import { objects } from "../../fixtures/json.ts";

test("kimiToolVariables() sorts keys at every depth and adds the declarations", () => {
  const tools = objects(
    '[{"type": "function", "function": {"name": "f", "b": {"2": 1, "10": 2}}}]',
  );
  const variables = new Map(kimiToolVariables(tools));
  expect(pythonJson(variables.get("tools") ?? null)).toBe(
    '[{"function": {"b": {"10": 2, "2": 1}, "name": "f"}, "type": "function"}]',
  );
  expect(variables.get("tools_ts_str")).toContain("type f = ");
});

test("kimiToolVariables() has no declarations without tools or for odd ones", () => {
  expect(kimiToolVariables(null)).toEqual([["tools", null]]);
  const odd = kimiToolVariables(objects('[{"type": "function", "function": {"parameters": "x"}}]'));
  expect(odd.map(([name]) => name)).toEqual(["tools"]);
});

test("kimiDefaults turn thinking on and forget that of the past", () => {
  expect(kimiDefaults).toEqual([
    ["thinking", true],
    ["preserve_thinking", false],
  ]);
});
