import { expect, test } from "bun:test";
import { neededFiles } from "../../src/checkpoint-hub/hub-files.ts";

test("neededFiles() takes what is read, one tokenizer, and that last", () => {
  const files = [
    "tokenizer.json",
    "tiktoken.model",
    "model-00001-of-00002.safetensors",
    "tokenization_kimi.py",
    "additional_chat_templates/tool_use.jinja",
    "additional_chat_templates/../../x.jinja",
    "chat_template.jinja",
    "config.json",
  ];
  expect(neededFiles(files)).toEqual([
    "additional_chat_templates/tool_use.jinja",
    "chat_template.jinja",
    "config.json",
    "tokenizer.json",
  ]);
  expect(neededFiles(["tiktoken.model", "README.md"])).toEqual(["tiktoken.model"]);
});
