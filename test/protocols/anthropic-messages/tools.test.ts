import { describe, expect, test } from "bun:test";
import { writeJson } from "../../../src/json/lossless.ts";
import { readToolChoice, readTools } from "../../../src/protocols/anthropic-messages/tools.ts";
import { jsonObject } from "../answers.ts";

describe("readTools()", () => {
  test("keeps name, description and schema, in the order of chat", () => {
    const tool = jsonObject({
      input_schema: { type: "object", properties: {} },
      description: "d",
      name: "f",
      type: "custom",
      strict: true,
      cache_control: { type: "ephemeral" },
    });
    expect(writeJson(readTools([tool]) ?? null)).toBe(
      '[{"type":"function","function":{"name":"f","description":"d",' +
        '"parameters":{"type":"object","properties":{}}}}]',
    );
  });

  test("is nothing without tools", () => {
    expect(readTools(null)).toBeUndefined();
    expect(readTools([])).toBeUndefined();
  });

  test.each([
    [{ type: "web_search_20250305", name: "web_search" }, 'tools[0] is "web_search_20250305"'],
    [{ name: "f" }, "tools[0].input_schema must be an object, got nothing"],
    [{ input_schema: {} }, "tools[0].name must be a string, got nothing"],
  ])("refuses %j", (tool, sentence) => {
    expect(() => readTools([jsonObject(tool)])).toThrow(sentence);
  });
});

describe("readToolChoice()", () => {
  test.each([
    [{ type: "auto" }, "auto", undefined],
    [{ type: "none" }, "none", undefined],
    [{ type: "any", disable_parallel_tool_use: true }, "required", false],
    [
      { type: "tool", name: "f", disable_parallel_tool_use: false },
      jsonObject({ type: "function", function: { name: "f" } }),
      undefined,
    ],
  ])("%j", (choice, toolChoice, parallelToolCalls) => {
    expect(readToolChoice(jsonObject(choice))).toEqual({ toolChoice, parallelToolCalls });
  });

  test("is nothing when absent, and refuses what it does not know", () => {
    expect(readToolChoice(null).toolChoice).toBeUndefined();
    expect(() => readToolChoice(jsonObject({ type: "some" }))).toThrow("one of auto, any");
    expect(() => readToolChoice("auto")).toThrow("tool_choice must be an object, got a string");
  });
});
