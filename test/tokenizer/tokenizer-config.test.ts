import { describe, expect, test } from "bun:test";
import { CheckpointError } from "../../src/tokenizer/checkpoint-error.ts";
import { type ParsedObject, parseTokenizerConfig } from "../../src/tokenizer/tokenizer-config.ts";

function parse(config: ParsedObject, specialTokensMap: ParsedObject | null = null) {
  return parseTokenizerConfig(config, specialTokensMap, "/m/tokenizer_config.json");
}

function named(config: ParsedObject, specialTokensMap: ParsedObject | null = null) {
  const { namedTokens } = parse(config, specialTokensMap);
  return Object.fromEntries(Array.from(namedTokens, ([name, token]) => [name, token.content]));
}

describe("parseTokenizerConfig() named tokens", () => {
  test("takes strings and AddedToken objects, and leaves out null and flags", () => {
    expect(
      named({
        bos_token: "<s>",
        eos_token: { __type: "AddedToken", content: "</s>", normalized: true },
        unk_token: null,
        add_bos_token: true,
        image_token: "<image>",
      }),
    ).toEqual({ bos_token: "<s>", eos_token: "</s>", image_token: "<image>" });
  });

  test("takes the names of extra_special_tokens when that is an object", () => {
    expect(named({ extra_special_tokens: { audio_token: "<audio>" } })).toEqual({
      audio_token: "<audio>",
    });
  });

  test("takes special_tokens_map.json only without added_tokens_decoder", () => {
    const map = { eos_token: "<end>" };
    expect(named({ eos_token: "</s>" }, map)).toEqual({ eos_token: "<end>" });
    expect(named({ eos_token: "</s>", added_tokens_decoder: {} }, map)).toEqual({
      eos_token: "</s>",
    });
  });
});

describe("parseTokenizerConfig() other tokens", () => {
  test("takes additional_special_tokens under both of its names", () => {
    const contents = (config: ParsedObject) => parse(config).extraTokens.map((t) => t.content);
    expect(contents({ additional_special_tokens: ["<a>"] })).toEqual(["<a>"]);
    expect(contents({ extra_special_tokens: ["<b>", { content: "<c>" }] })).toEqual(["<b>", "<c>"]);
  });

  test("orders added_tokens_decoder by id", () => {
    const { addedTokens } = parse({
      added_tokens_decoder: { "10": { content: "b" }, "9": { content: "a", special: true } },
    });
    const found = Array.from(addedTokens, ([id, token]) => [id, token.content, token.special]);
    expect(found).toEqual([
      [9, "a", true],
      [10, "b", false],
    ]);
  });
});

describe("parseTokenizerConfig() refuses, with file and field,", () => {
  const cases: [config: ParsedObject, message: string][] = [
    [{ added_tokens_decoder: [] }, "added_tokens_decoder must be an object"],
    [
      { added_tokens_decoder: { "1": "x" } },
      'added_tokens_decoder["1"] must be an object with "content"',
    ],
    [{ extra_special_tokens: 1 }, "extra_special_tokens must be a list or an object"],
    [{ eos_token: { content: 1 } }, "eos_token.content must be a string"],
    [{ chat_template: 1 }, "chat_template must be a string or a list of templates"],
    [{ chat_template: [{ name: "default" }] }, "chat_template[0] must be an object with"],
  ];
  for (const [config, message] of cases) {
    test(message, () => {
      expect(() => parse(config)).toThrow(CheckpointError);
      expect(() => parse(config)).toThrow(`/m/tokenizer_config.json: ${message}`);
    });
  }
});
