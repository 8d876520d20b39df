import { describe, expect, test } from "bun:test";
import { readToolChoice, readTools } from "../../../src/protocols/openai-responses/tools.ts";
import { jsonObject, plain } from "../answers.ts";

describe("readTools()", () => {
  test("passes functions, makes functions of custom tools, leaves hosted tools out", () => {
    const { tools, offered } = readTools([
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
    expect([...offered].map(([name, { isCustom }]) => [name, isCustom])).toEqual([
      ["f", false],
      ["patch", true],
    ]);
  });

  test("makes functions of the tools of a namespace, under both names", () => {
    const { tools, offered } = readTools([
      jsonObject({
        type: "namespace",
        name: "mcp__db__",
        description: "Tools in the mcp__db namespace.",
        tools: [
          { type: "function", name: "lookup", description: "d", parameters: {}, strict: false },
          { type: "custom", name: "patch" },
        ],
      }),
      jsonObject({ type: "function", name: "lookup", parameters: {} }),
    ]);
    expect(tools?.map((tool) => plain(tool.get("function") ?? null))).toMatchObject([
      { name: "mcp__db__lookup", description: "d", parameters: {} },
      { name: "mcp__db__patch" },
      { name: "lookup" },
    ]);
    expect(offered.get("mcp__db__lookup")).toMatchObject({
      ...{ name: "lookup", namespace: "mcp__db__", isCustom: false },
    });
    expect(offered.get("mcp__db__patch")?.isCustom).toBe(true);
    expect(offered.get("lookup")?.namespace).toBeNull();
  });

  test("tells the model a custom tool's grammar", () => {
    const format = { type: "grammar", syntax: "lark", definition: "start: X" };
    const descriptions = [{ description: "Patches." }, {}].map((described) => {
      const tool = jsonObject({ type: "custom", name: "patch", format, ...described });
      return plain(readTools([tool]).tools?.[0] ?? null);
    });
    const grammar = "The input follows this lark grammar:\n\nstart: X";
    expect(descriptions).toMatchObject([
      { function: { description: `Patches.\n\n${grammar}` } },
      { function: { description: grammar } },
    ]);
  });

  test("makes functions of tools that the client runs, and only of those", () => {
    const { tools, offered } = readTools(
      [
        { type: "local_shell" },
        { type: "shell", environment: { type: "local" } },
        { type: "apply_patch" },
        { type: "tool_search", execution: "client", description: "d", parameters: { a: 1 } },
      ].map(jsonObject),
    );
    expect([...offered.keys()]).toEqual(["local_shell", "shell", "apply_patch", "tool_search"]);
    expect(plain(tools?.[3] ?? null)).toEqual({
      type: "function",
      function: { name: "tool_search", description: "d", parameters: { a: 1 } },
    });
    const hosted = [
      { type: "shell", environment: { type: "container_auto" } },
      { type: "tool_search" },
      { type: "mcp", server_label: "s" },
    ];
    expect(readTools(hosted.map(jsonObject)).tools).toBeUndefined();
  });

  test("refuses two tools that would be called alike, and passes one that is there twice", () => {
    const inner = { type: "function", name: "b", parameters: {} };
    const namespace = jsonObject({ type: "namespace", name: "a", tools: [inner] });
    const plainTool = jsonObject({ type: "function", name: "a__b", parameters: {} });
    expect(() => readTools([namespace, plainTool])).toThrow(
      'tools[1]: another tool is called as "a__b" already',
    );
    expect(readTools([plainTool, new Map(plainTool)]).tools).toHaveLength(1);
    for (const change of [{ parameters: { type: "object" } }, { description: "d" }]) {
      const other = jsonObject({ type: "function", name: "a__b", parameters: {}, ...change });
      expect(() => readTools([plainTool, other])).toThrow(
        'tools[1]: another tool is called as "a__b" already',
      );
    }
  });

  test("adds tools that were found, once", () => {
    const tool = jsonObject({ type: "function", name: "f", parameters: {} });
    const other = jsonObject({ type: "function", name: "g", parameters: {} });
    const { offered, tools } = readTools([tool], [tool, other, other]);
    expect([...offered.keys()]).toEqual(["f", "g"]);
    expect(tools).toHaveLength(2);
  });

  test("is nothing without tools that can be called", () => {
    expect(readTools(null).tools).toBeUndefined();
    expect(readTools([jsonObject({ type: "web_search" })]).tools).toBeUndefined();
  });

  test.each([
    [{ name: "f" }, "tools[0].type must be a string, got nothing"],
    [{ type: "function" }, "tools[0].name must be a string, got nothing"],
    [{ type: "computer_use_preview" }, 'tools[0]: its type is "computer_use_preview"'],
    [{ type: "namespace", name: "n" }, "tools[0].tools must be a list, got nothing"],
    [
      { type: "namespace", name: "n", tools: [{ type: "web_search" }] },
      'tools[0].tools[0]: its type is "web_search", and only function, custom can be taken here',
    ],
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
    [
      { type: "function", name: "f", namespace: "n" },
      { type: "function", function: { name: "n__f" } },
    ],
    [{ type: "apply_patch" }, { type: "function", function: { name: "apply_patch" } }],
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
