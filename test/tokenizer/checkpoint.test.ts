import { afterAll, describe, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { loadCheckpoint } from "../../src/tokenizer/checkpoint.ts";
import { CheckpointError } from "../../src/tokenizer/checkpoint-error.ts";
import { demoTokenizerDefinition } from "../../src/tokenizer/demo-checkpoint.ts";
import { type TestCheckpoint, testCheckpoint } from "../fixtures/checkpoints.ts";
import vectors from "./checkpoint.vectors.json";

const root = mkdtempSync(join(tmpdir(), "session-server-checkpoint-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));

let directories = 0;

/** A checkpoint directory with these files; values that are no text are written as JSON. */
function checkpointOf(files: Record<string, unknown>): string {
  const directory = join(root, String(directories++));
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(join(directory, name, ".."), { recursive: true });
    const text = typeof content === "string" ? content : JSON.stringify(content);
    writeFileSync(join(directory, name), text);
  }
  mkdirSync(directory, { recursive: true });
  return directory;
}

const tokenizerJson = demoTokenizerDefinition().json;
const noTemplate = { chatTemplatePath: null };

/** The template variables that a template of one variable prints. */
async function rendered(
  directory: string,
  which: "chatTemplate" | "toolChatTemplate" = "chatTemplate",
) {
  const checkpoint = await loadCheckpoint(directory, noTemplate);
  return checkpoint[which]?.render(new Map()) ?? null;
}

describe("loadCheckpoint() on real checkpoints, against transformers", () => {
  for (const vector of vectors) {
    const name = vector.checkpoint as TestCheckpoint;

    test(`${name}: the named special tokens`, async () => {
      const { specialTokens } = await testCheckpoint(name);
      expect(Object.fromEntries(specialTokens)).toEqual(vector.special_tokens_map as never);
    });

    test(`${name}: the ids of special tokens`, async () => {
      const { tokenizer } = await testCheckpoint(name);
      expect([...tokenizer.specialTokenIds].sort((a, b) => a - b)).toEqual(vector.special_ids);
    });

    test(`${name}: the ids of ${vector.texts.length} texts and back`, async () => {
      const { tokenizer } = await testCheckpoint(name);
      for (const [text, ids] of vector.texts as [string, number[]][]) {
        expect(await tokenizer.encode(text), JSON.stringify(text)).toEqual(ids);
      }
      for (const [ids, text] of vector.ids as [number[], string][]) {
        expect(await tokenizer.decode(ids), JSON.stringify(ids)).toBe(text);
      }
    });
  }

  test("takes model_type from config.json, and null without one", async () => {
    expect((await testCheckpoint("deepseekv32")).modelType).toBe("deepseek_v32");
    expect((await testCheckpoint("qwen3")).modelType).toBeNull();
  });
});

describe("loadCheckpoint() and chat templates", () => {
  const configured = { chat_template: "from config" };

  test("takes the template of tokenizer_config.json", async () => {
    const files = { "tokenizer.json": tokenizerJson, "tokenizer_config.json": configured };
    expect(await rendered(checkpointOf(files))).toBe("from config");
  });

  test("prefers chat_template.jinja", async () => {
    const directory = checkpointOf({
      "tokenizer.json": tokenizerJson,
      "tokenizer_config.json": configured,
      "chat_template.jinja": "from file",
    });
    expect(await rendered(directory)).toBe("from file");
  });

  test("takes default and tool_use of a list, and of additional_chat_templates/", async () => {
    const listed = checkpointOf({
      "tokenizer.json": tokenizerJson,
      "tokenizer_config.json": {
        chat_template: [
          { name: "tool_use", template: "with tools" },
          { name: "default", template: "plain" },
        ],
      },
    });
    expect(await rendered(listed)).toBe("plain");
    expect(await rendered(listed, "toolChatTemplate")).toBe("with tools");
    const filed = checkpointOf({
      "tokenizer.json": tokenizerJson,
      "chat_template.jinja": "plain",
      "additional_chat_templates/tool_use.jinja": "with tools",
    });
    expect(await rendered(filed, "toolChatTemplate")).toBe("with tools");
  });

  test("has none where the checkpoint has none", async () => {
    expect(await rendered(checkpointOf({ "tokenizer.json": tokenizerJson }))).toBeNull();
  });

  test("lets a template given by path win and says so", async () => {
    const directory = checkpointOf({
      "tokenizer.json": tokenizerJson,
      "tokenizer_config.json": configured,
      "mine.jinja": "mine",
    });
    const chatTemplatePath = join(directory, "mine.jinja");
    const checkpoint = await loadCheckpoint(directory, { chatTemplatePath });
    expect(checkpoint.chatTemplate?.render(new Map())).toBe("mine");
    expect(checkpoint.hasCustomChatTemplate).toBe(true);
    expect((await loadCheckpoint(directory, noTemplate)).hasCustomChatTemplate).toBe(false);
  });
});

describe("loadCheckpoint() reports, with the path", () => {
  const cases: [title: string, files: Record<string, unknown>, message: RegExp][] = [
    ["a missing tokenizer.json", {}, /tokenizer\.json does not exist: expected a tokenizer/],
    [
      "broken JSON in tokenizer.json",
      { "tokenizer.json": '{"model": ' },
      /tokenizer\.json is no tokenizer definition: EOF while parsing/,
    ],
    [
      "a tokenizer.json that the library refuses",
      { "tokenizer.json": { model: { type: "Nope" }, added_tokens: [] } },
      /tokenizer\.json is no tokenizer definition/,
    ],
    [
      "a tokenizer.json without a model",
      { "tokenizer.json": {} },
      /tokenizer\.json is no tokenizer definition: /,
    ],
    [
      "broken JSON in tokenizer_config.json",
      { "tokenizer.json": tokenizerJson, "tokenizer_config.json": "{" },
      /tokenizer_config\.json is not JSON/,
    ],
    [
      "a tokenizer_config.json that is no object",
      { "tokenizer.json": tokenizerJson, "tokenizer_config.json": "[]" },
      /tokenizer_config\.json must hold a JSON object/,
    ],
    [
      "a template that does not compile",
      { "tokenizer.json": tokenizerJson, "chat_template.jinja": "{% if %}" },
      /the chat template "default" does not compile/,
    ],
  ];
  for (const [title, files, message] of cases) {
    test(title, async () => {
      const directory = checkpointOf(files);
      const error = await loadCheckpoint(directory, noTemplate).catch((caught) => caught);
      expect(error).toBeInstanceOf(CheckpointError);
      expect(error.message).toMatch(message);
      expect(error.message).toStartWith(directory);
    });
  }

  test("a directory that is not there", async () => {
    const error = await loadCheckpoint(join(root, "nowhere"), noTemplate).catch((caught) => caught);
    expect(error).toBeInstanceOf(CheckpointError);
    expect(error.message).toContain("nowhere is not a directory");
  });

  test("a template path that is not there", async () => {
    const chatTemplatePath = join(root, "nothing.jinja");
    const error = await loadCheckpoint(null, { chatTemplatePath }).catch((caught) => caught);
    expect(error).toBeInstanceOf(CheckpointError);
    expect(error.message).toContain("nothing.jinja does not exist: expected a Jinja file");
  });
});
