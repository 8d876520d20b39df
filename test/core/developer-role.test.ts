import { describe, expect, test } from "bun:test";
import { rendersDeveloperRole } from "../../src/core/developer-role.ts";
import { InvalidRequestError } from "../../src/errors.ts";
import type { JsonObject } from "../../src/json/values.ts";
import { createTitoTokenizer, type TitoTokenizer } from "../../src/tito/tito-tokenizer.ts";
import { testCheckpoint } from "../fixtures/checkpoints.ts";

/** A tokenizer whose prompts are as `render` says. */
function tokenizer(render: (messages: readonly JsonObject[]) => number[]): TitoTokenizer {
  return { renderPrompt: async (messages) => render(messages) } as Partial<TitoTokenizer> as never;
}

describe("rendersDeveloperRole()", () => {
  test("is false for a template that leaves the message out", async () => {
    const tito = createTitoTokenizer({
      family: "qwen3",
      checkpoint: await testCheckpoint("qwen3"),
      chatTemplateKwargs: new Map(),
    });
    expect(await rendersDeveloperRole(tito)).toBe(false);
  });

  test("is true for one that renders it", async () => {
    expect(await rendersDeveloperRole(tokenizer((messages) => messages.map(() => 1)))).toBe(true);
  });

  test("is false for one that refuses it", async () => {
    const strict = tokenizer((messages) => {
      if (messages.length > 1) throw new InvalidRequestError("unknown role");
      return [1];
    });
    expect(await rendersDeveloperRole(strict)).toBe(false);
  });

  test("passes bugs on", async () => {
    const broken = tokenizer(() => {
      throw new TypeError("a bug");
    });
    expect(rendersDeveloperRole(broken)).rejects.toThrow(TypeError);
  });
});
