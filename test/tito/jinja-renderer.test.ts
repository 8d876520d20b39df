import { describe, expect, test } from "bun:test";
import { compileChatTemplate } from "../../src/chat-template/chat-template.ts";
import { parseJson } from "../../src/json/lossless.ts";
import type { JsonObject, JsonValue } from "../../src/json/values.ts";
import { createJinjaRenderer } from "../../src/tito/jinja-renderer.ts";
import { RenderError } from "../../src/tito/render-error.ts";

interface Given {
  readonly tools?: string;
  readonly kwargs?: Record<string, JsonValue>;
  readonly toolTemplate?: string;
}

function render(template: string, given: Given = {}): string {
  const renderer = createJinjaRenderer({
    template: compileChatTemplate(template, "test"),
    toolTemplate: given.toolTemplate ? compileChatTemplate(given.toolTemplate, "test") : null,
    specialTokens: new Map([["eos_token", "</s>"]]),
    convention: "transformers",
  });
  return renderer.render({
    messages: parseJson('[{"role": "user", "content": "hi"}]') as JsonObject[],
    tools: parseJson(given.tools ?? "null"),
    addGenerationPrompt: true,
    chatTemplateKwargs: new Map(Object.entries(given.kwargs ?? {})),
  });
}

const tools = '[{"type": "function", "function": {"name": "f"}}]';

describe("createJinjaRenderer() variables", () => {
  test("messages, tools, documents, add_generation_prompt and special tokens", () => {
    const template =
      "{{ messages[0].content }} {{ tools is none }} {{ documents is none }} " +
      "{{ add_generation_prompt }} {{ eos_token }} {{ bos_token is defined }}";
    expect(render(template)).toBe("hi True True True </s> False");
  });

  test("kwargs win over special tokens and documents", () => {
    const kwargs = { eos_token: "<e>", documents: [new Map([["text", "d"]])], x: null };
    expect(render("{{ eos_token }}{{ documents[0].text }}{{ x is none }}", { kwargs })).toBe(
      "<e>dTrue",
    );
  });
});

describe("createJinjaRenderer() tools", () => {
  test("go to the tool template where there is one", () => {
    const toolTemplate = "with tools";
    expect(render("plain", { toolTemplate, tools })).toBe("with tools");
    expect(render("plain", { toolTemplate })).toBe("plain");
  });

  test("are tried as bare functions when the template refuses the whole ones", () => {
    const template =
      "{% for t in tools %}{% if t.function %}{{ raise_exception('bare please') }}{% endif %}" +
      "{{ t.name }}{% endfor %}";
    expect(render(template, { tools })).toBe("f");
  });

  test("make an error of their own when both forms are refused", () => {
    const template = "{{ raise_exception('never') }}";
    expect(() => render(template, { tools })).toThrow(
      /^Chat template rendering failed \(tool format fallback\): .*never/,
    );
  });
});

describe("createJinjaRenderer() errors", () => {
  test("of the template and of Python's operations are RenderErrors", () => {
    for (const template of ["{{ raise_exception('no') }}", "{{ 'a' + none }}"]) {
      expect(() => render(template)).toThrow(RenderError);
      expect(() => render(template)).toThrow(/^Chat template rendering failed: /);
    }
  });

  test("name a reserved kwarg", () => {
    const renderer = createJinjaRenderer({
      template: compileChatTemplate("", "test"),
      toolTemplate: null,
      specialTokens: new Map(),
      convention: "transformers",
    });
    expect(() => renderer.validateKwargs(new Map([["tokenize", true]]))).toThrow(
      "chat_template_kwargs.tokenize is reserved by the server",
    );
    renderer.validateKwargs(new Map([["enable_thinking", true]]));
  });
});
