import { describe, expect, test } from "bun:test";
import { readByteLevelDefinition } from "../../../src/tokenizer/byte-level-bpe/definition.ts";
import { added, byteLevel, definition, sequence, split } from "./definitions.ts";

function read(changes: object) {
  return readByteLevelDefinition(new TextEncoder().encode(definition(changes)));
}

const nfc = { type: "NFC" };

describe("readByteLevelDefinition()", () => {
  test("reads normalisers", () => {
    expect(read({}).isComposed).toBe(false);
    expect(read({ normalizer: nfc }).isComposed).toBe(true);
    expect(read({ normalizer: { type: "Sequence", normalizers: [] } }).isComposed).toBe(false);
    expect(read({ normalizer: { type: "Sequence", normalizers: [nfc] } }).isComposed).toBe(true);
  });

  test("reads the patterns of pre-tokenizers, GPT-2's included", () => {
    expect(read({}).patterns).toEqual([]);
    expect(read({ pre_tokenizer: sequence(byteLevel) }).patterns).toEqual([]);
    const own = read({ pre_tokenizer: sequence(split("\\d"), split("a+"), byteLevel) });
    expect(own.patterns).toHaveLength(2);
    const standard = read({ pre_tokenizer: { ...byteLevel, use_regex: true } });
    expect(standard.patterns[0]?.exec("'stop")?.[0]).toBe("'s");
    const literal = { ...split(""), pattern: { String: "a." } };
    const [pattern] = read({ pre_tokenizer: sequence(literal, byteLevel) }).patterns;
    expect(pattern?.test("ab")).toBe(false);
  });

  test("reads added tokens", () => {
    const { addedTokens } = read({ added_tokens: [added(256, "<a>", { rstrip: true })] });
    expect(addedTokens).toMatchObject([{ content: "<a>", rightStrip: true, special: true }]);
  });

  test("takes post-processors that only add special tokens", () => {
    const template = { type: "TemplateProcessing", single: [], pair: [], special_tokens: {} };
    const processors = [byteLevel, template];
    expect(() => read({ post_processor: { type: "Sequence", processors } })).not.toThrow();
  });
});

describe("refuses, by name", () => {
  const { special: _, ...withoutSpecial } = added(256, "<a>");
  test.each([
    ["normaliser", { normalizer: { type: "NFKC" } }, 'normaliser of type "NFKC"'],
    [
      "a normaliser in a sequence",
      { normalizer: { type: "Sequence", normalizers: [nfc, { type: "Lowercase" }] } },
      'normaliser of type "Lowercase"',
    ],
    ["no pre-tokenizer", { pre_tokenizer: null }, "pre_tokenizer that is no object"],
    ["a pre-tokenizer", { pre_tokenizer: { type: "Whitespace" } }, 'pre-tokenizer of type "Whit'],
    [
      "one before ByteLevel",
      { pre_tokenizer: sequence({ type: "Digits" }, byteLevel) },
      '"Digits"',
    ],
    ["a split behind ByteLevel", { pre_tokenizer: sequence(byteLevel, split("a")) }, '"ByteLevel"'],
    ["ByteLevel twice", { pre_tokenizer: sequence(byteLevel, byteLevel) }, '"ByteLevel"'],
    ["an empty sequence", { pre_tokenizer: sequence() }, "no object"],
    ["a prefix", { pre_tokenizer: { ...byteLevel, add_prefix_space: true } }, "add_prefix_space"],
    [
      "a removing split",
      { pre_tokenizer: sequence({ ...split("a"), behavior: "Removed", invert: true }, byteLevel) },
      "a Split that is Removed and inverted",
    ],
    [
      "a split without invert",
      { pre_tokenizer: sequence({ ...split("a"), invert: undefined }, byteLevel) },
      "a Split that is Isolated and inverted",
    ],
    ["a pattern", { pre_tokenizer: sequence(split("^a"), byteLevel) }, "a bare ^"],
    ["a decoder", { decoder: { type: "Metaspace" } }, 'decoder of type "Metaspace"'],
    ["no decoder", { decoder: null }, "decoder that is no object"],
    ["a post-processor", { post_processor: { type: "New" } }, 'post-processor of type "New"'],
    ["a version", { version: "2.0" }, "another version"],
    ["an added token", { added_tokens: [withoutSpecial] }, "added_tokens[0] without special"],
    ["a model", { model: { type: "Unigram", vocab: [] } }, 'a model of type "Unigram"'],
  ])("%s", (_name, changes, reason) => {
    expect(() => read(changes)).toThrow(reason);
  });
});
