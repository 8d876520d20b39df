import { afterAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { loadEngineCheckpoint } from "../../src/mock-engine/engine-checkpoint.ts";
import { EngineError } from "../../src/mock-engine/engine-error.ts";

const directory = mkdtempSync(join(tmpdir(), "engine-checkpoint-"));
afterAll(() => rmSync(directory, { recursive: true }));

const demo = await loadEngineCheckpoint({ hfCheckpoint: null, chatTemplatePath: null });

async function prompt(request: object, checkpoint = demo): Promise<string> {
  return await checkpoint.tokenizer.decode(await checkpoint.encodePrompt(JSON.stringify(request)));
}

async function withTemplate(source: string) {
  const path = join(directory, "template.jinja");
  await Bun.write(path, source);
  return await loadEngineCheckpoint({ hfCheckpoint: null, chatTemplatePath: path });
}

test("loadEngineCheckpoint() finds the token that ends a turn", async () => {
  expect(await demo.tokenizer.decode([demo.stopToken])).toBe("<|im_end|>");
});

test("encodePrompt() renders the messages with a generation prompt", async () => {
  const messages = [{ role: "user", content: "é" }];
  expect(await prompt({ messages })).toBe("<|im_start|>user\né<|im_end|><|im_start|>assistant\n");
});

test("encodePrompt() gives the template tools, kwargs and numbers as they were written", async () => {
  const checkpoint = await withTemplate(
    "{{ tools | tojson }} {{ messages[0].n }} {{ mood }} {{ eos_token }} {{ add_generation_prompt }}",
  );
  const text = '{"messages":[{"role":"user","n":1.0}],"tools":[{"b":1,"10":2}],';
  const ids = await checkpoint.encodePrompt(`${text}"chat_template_kwargs":{"mood":"dry"}}`);
  expect(await checkpoint.tokenizer.decode(ids)).toBe(
    '[{"b": 1, "10": 2}] 1.0 dry <|im_end|> True',
  );
});

test("encodePrompt() rejects what the template rejects", async () => {
  const checkpoint = await withTemplate("{{ raise_exception('no such role') }}");
  const encoded = checkpoint.encodePrompt('{"messages":[]}');
  await expect(encoded).rejects.toThrow(EngineError);
  await expect(encoded).rejects.toThrow("no such role");
});
