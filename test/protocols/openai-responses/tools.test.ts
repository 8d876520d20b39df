import { describe, expect, test } from "bun:test";
import { readToolChoice, readTools } from "../../../src/protocols/openai-responses/tools.ts";
import { jsonObject, plain } from "../answers.ts";

describe("readTools()", () => {
  test("passes functions, makes functions of custom tools, leaves hosted tools out", () => {
    const { tools, customNames } = readTools([
      jsonObject({
        type: "function",
        name: "f",
        parameters: { type: "object" },
        strict: true,
        description: "d",
      }),
      jsonObject({ type: "web_search" }),
      jsonObject({ type: "custom", name: "patch", format: { type: "grammar" } }),
    ]);
    expect(plain(tools ?? null)).toEqual([
      {
        type: "function",
        function: { name: "f", description: "d", parameters: { type: "object" } },
      },
      {
        type: "function",
        function: {
          name: "patch",
          parameters: {
            type: "object",
            properties: { input: { type: "string" } },
            required: ["input"],
          },
        },
      },
    ]);
    expect([...customNames]).toEqual(["patch"]);
  });

  test("is nothing without tools that can be called", () => {
    expect(readTools(null).tools).toBeUndefined();
    expect(readTools([jsonObject({ type: "web_search" })]).tools).toBeUndefined();
  });

  test.each([
    [{ name: "f" }, "tools[0].type must be a string, got nothing"],
    [{ type: "function" }, "tools[0].name must be a string, got nothing"],
  ])("refuses %j", (tool, sentence) => {
    expect(() => readTools([jsonObject(tool)])).toThrow(sentence);
  });
});

describe("readToolChoice()", () => {
  test.each([
    [{ type: "allowed_tools", mode: "required", tools: [] }, "required"],
    [
      { type: "function", name: "f" },
      { type: "function", function: { name: "f" } },
    ],
    [
      { type: "custom", name: "f" },
      { type: "function", function: { name: "f" } },
    ],
  ])("%j", (choice, expected) => {
    expect(plain(readToolChoice(jsonObject(choice)) ?? null)).toEqual(expected);
  });

  test("passes a word, is nothing when absent, refuses hosted tools", () => {
    expect(readToolChoice("required")).toBe("required");
    expect(readToolChoice(null)).toBeUndefined();
    expect(() => readToolChoice(jsonObject({ type: "file_search" }))).toThrow(
      "tool_choice must be",
    );
  });
});
