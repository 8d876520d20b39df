import { describe, expect, test } from "bun:test";
import type { TitoFamily } from "../../src/config.ts";
import { messageRulesOf } from "../../src/core/message-rules.ts";
import { InvalidRequestError } from "../../src/errors.ts";
import type { JsonObject } from "../../src/json/values.ts";
import { createTitoTokenizer, type TitoTokenizer } from "../../src/tito/tito-tokenizer.ts";
import { testCheckpoint } from "../fixtures/checkpoints.ts";

/** A tokenizer whose prompts are as `render` says. */
function tokenizer(render: (messages: readonly JsonObject[]) => number[]): TitoTokenizer {
  const made: Partial<TitoTokenizer> = {
    allowedAppendRoles: new Set(["user", "system"]),
    renderPrompt: async (messages) => render(messages),
  };
  return made as TitoTokenizer;
}

describe("messageRulesOf()", () => {
  test.each([
    ["qwen3", { developerIsSystem: true, systemAnywhere: true }],
    ["qwen35", { developerIsSystem: true, systemAnywhere: false }],
  ] as const)("of the family %s", async (family: TitoFamily, expected) => {
    const checkpoint = await testCheckpoint("qwen3");
    const tito = createTitoTokenizer({ family, checkpoint, chatTemplateKwargs: new Map() });
    expect(await messageRulesOf(tito)).toEqual(expected);
  });

  test("a template that renders every message takes all of them", async () => {
    const tito = tokenizer((messages) => messages.map(() => 1));
    expect(await messageRulesOf(tito)).toEqual({ developerIsSystem: false, systemAnywhere: true });
  });

  test("a template that leaves messages out without a word does not take them", async () => {
    const tito = tokenizer((messages) =>
      messages
        .filter((one, index) => one.get("role") === "user" || (one.get("role") && index === 0))
        .filter((one) => one.get("role") !== "developer")
        .map(() => 1),
    );
    expect(await messageRulesOf(tito)).toEqual({ developerIsSystem: true, systemAnywhere: false });
  });

  test("a template that refuses messages does not take them", async () => {
    const tito = tokenizer((messages) => {
      if (messages.length > 1) throw new InvalidRequestError("unknown role");
      return [1];
    });
    expect(await messageRulesOf(tito)).toEqual({ developerIsSystem: true, systemAnywhere: false });
  });

  test("a family that cannot append system messages does not take them anywhere", async () => {
    const tito = tokenizer((messages) => messages.map(() => 1));
    const firstOnly = { ...tito, allowedAppendRoles: new Set(["user"]) };
    expect((await messageRulesOf(firstOnly)).systemAnywhere).toBe(false);
  });

  test("passes bugs on", async () => {
    const broken = tokenizer(() => {
      throw new TypeError("a bug");
    });
    await expect(messageRulesOf(broken)).rejects.toThrow(TypeError);
  });
});
