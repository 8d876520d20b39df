import { describe, expect, test } from "bun:test";
import { InvalidRequestError } from "../../../src/errors.ts";
import { specialToken } from "../../../src/tokenizer/added-token.ts";
import { CheckpointError } from "../../../src/tokenizer/checkpoint-error.ts";
import { createKimiTokenizer } from "../../../src/tokenizer/tiktoken/kimi-tokenizer.ts";
import { tiktokenModel } from "../../fixtures/tiktoken.ts";
import { idsInSteps } from "../byte-level-bpe/binding.ts";

const model = tiktokenModel(["he", "ll", "hell", " w", "中", "中文"]);
const plain = { ...specialToken("<think>"), special: false };
const definition = {
  model,
  path: "tiktoken.model",
  addedTokens: new Map([
    [262, specialToken("[BOS]")],
    [264, specialToken("<|im_end|>")],
    [270, plain],
  ]),
  specialTokens: [specialToken("[BOS]")],
};
const tokenizer = createKimiTokenizer(definition);

describe("createKimiTokenizer() encodes", () => {
  test("pieces that are tokens whole, and merges the others", async () => {
    expect(await tokenizer.encode("hello w")).toEqual([258, 111, 259]);
    expect(await tokenizer.encode("")).toEqual([]);
  });

  test("Han apart from other letters", async () => {
    expect(await tokenizer.encode("a中文b")).toEqual([97, 261, 98]);
  });

  test("added tokens and names of reserved ones, special or not", async () => {
    expect(await tokenizer.encode("a<|im_end|><think><|reserved_token_263|>[BOS]")).toEqual([
      97, 264, 270, 263, 262,
    ]);
  });

  test("the same in steps, of which a long text takes many", () => {
    const text = "hello 中文<|im_end|> w\n<|reserved_token_263|>é ".repeat(2_000);
    expect(idsInSteps(tokenizer, text)).toEqual(tokenizer.encode(text) as number[]);
    expect([...(tokenizer.encodeInSteps?.("hello w ".repeat(10_000)) ?? [])].length).toBe(10);
    expect(() => idsInSteps(tokenizer, "a\ud800")).toThrow(InvalidRequestError);
  });

  test("no half of a surrogate pair", () => {
    expect(() => tokenizer.encode("a\ud800")).toThrow(InvalidRequestError);
  });
});

describe("createKimiTokenizer()", () => {
  test("decodes bytes together, and names without spaces between", async () => {
    const ids = [...(await tokenizer.encode("é<think>中")), 264, 99_999, 0xf0];
    expect(await tokenizer.decode(ids)).toBe("é<think>中<|im_end|>\ufffd");
  });

  test("finds ids of named tokens and of ranked ones", () => {
    expect(tokenizer.tokenId("<|im_end|>")).toBe(264);
    expect(tokenizer.tokenId("hell")).toBe(258);
    expect(tokenizer.tokenId("<|im_user|>")).toBeUndefined();
  });

  test("takes what is marked or named as special", () => {
    expect([...tokenizer.specialTokenIds].sort()).toEqual([262, 264]);
  });

  test("refuses names for ids beyond the reserved ones", () => {
    const addedTokens = new Map([[1_000, specialToken("x")]]);
    expect(() => createKimiTokenizer({ ...definition, addedTokens })).toThrow(CheckpointError);
    expect(() => createKimiTokenizer({ ...definition, addedTokens })).toThrow(
      "tiktoken.model ends at rank 261, but tokenizer_config.json gives id 1000 a name",
    );
  });
});
