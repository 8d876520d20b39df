import { describe, expect, test } from "bun:test";
import { InvalidRequestError } from "../../../src/errors.ts";
import { createByteLevelBpeTokenizer } from "../../../src/tokenizer/byte-level-bpe/byte-level-bpe-tokenizer.ts";
import { UnsupportedFeatureError } from "../../../src/tokenizer/byte-level-bpe/unsupported-feature.ts";
import { randomFrom, seedOf } from "../../harness/random.ts";
import { noOverrides, TokenizerPair } from "./binding.ts";
import { added, byteLevel, bytePairModel, definition, sequence, split } from "./definitions.ts";

const utf8 = new TextEncoder();
const nfc = { type: "NFC" };
const words = sequence(split(" ?\\p{L}+|\\s+(?!\\S)|\\s+"), byteLevel);

describe("createByteLevelBpeTokenizer() and the library agree on", () => {
  const variants: Record<string, object> = {
    "tokens that take white space along": {
      added_tokens: [
        added(256, "<l>", { lstrip: true }),
        added(257, "<r>", { rstrip: true }),
        added(258, "<lr>", { lstrip: true, rstrip: true }),
        added(259, "<"),
      ],
      pre_tokenizer: words,
    },
    "tokens that are looked for in normalised text": {
      normalizer: nfc,
      added_tokens: [
        added(256, "\u00e9t\u00e9", { normalized: true }),
        added(257, "\u00e9", { special: false }),
        added(258, "t\u00e9", { normalized: true, rstrip: true }),
        added(259, "e\u0301<r>"),
      ],
      pre_tokenizer: words,
    },
    "tokens that are in the vocabulary, and those of the byte alphabet": {
      added_tokens: [
        added(97, "a"),
        added(256, "\u0120l"),
        added(257, "\u00e9<"),
        added(258, "r r"),
      ],
    },
    "GPT-2's own pattern": { pre_tokenizer: { ...byteLevel, use_regex: true } },
    "a split at a text": {
      pre_tokenizer: sequence({ ...split(""), pattern: { String: "t" } }, byteLevel),
    },
  };
  const pieces = [..."aelr<> \n\t\u00a0\u0301\u00e9\u0085\ufefft", "<l>", "<r>", "<lr>", "e\u0301"];

  test.each(Object.entries(variants))("%s", async (name, changes) => {
    const random = randomFrom(seedOf(name));
    const merges = [
      ["e", "l"],
      [" ", "l"],
      ["t", "t"],
    ] as const;
    const pair = new TokenizerPair(definition(changes, merges));
    const texts = Array.from({ length: 3_000 }, () =>
      Array.from({ length: random.integer(1, 16) }, () => random.pick(pieces)).join(""),
    );
    expect(await pair.encodingDifferences(texts)).toEqual([]);
    const lists = Array.from({ length: 1_000 }, () =>
      Array.from({ length: random.integer(0, 12) }, () => random.integer(0, 265)),
    );
    expect(await pair.decodingDifferences(lists)).toEqual([]);
  });
});

test("tokens of other characters than the byte alphabet are those of the library", async () => {
  const others = ["\u4e61", "a b", "<\uff5cx\uff5c>", "\u00ad", "\u0221", "\u{1f8b3}"];
  const model = bytePairModel([["a", "b"]]);
  const vocab = {
    ...model.vocab,
    ...Object.fromEntries(others.map((text, id) => [text, 300 + id])),
  };
  const pair = new TokenizerPair(definition({ model: { ...model, vocab, ignore_merges: true } }));
  for (const token of [...others, "ab", "\u00e4\u00b9\u00a1"]) {
    expect(pair.own.tokenId(token)).toBe(pair.rust.tokenToId(token) ?? undefined);
  }
  expect(await pair.encodingDifferences([...others, ...others.map((text) => `ab${text}`)])).toEqual(
    [],
  );
  expect(await pair.decodingDifferences(others.map((_, id) => [97, 300 + id, 98]))).toEqual([]);
});

describe("encode()", () => {
  const tokenizer = createByteLevelBpeTokenizer(utf8.encode(definition()), noOverrides);

  test("is synchronous and takes the empty text", () => {
    expect(tokenizer.encode("")).toEqual([]);
    expect(tokenizer.encode("\ufeff")).toEqual([0xef, 0xbb, 0xbf]);
  });

  test("works in steps where it is asked to: many for a long text, few for a short one", () => {
    const json = definition({ pre_tokenizer: words });
    const cutting = createByteLevelBpeTokenizer(utf8.encode(json), noOverrides);
    const stepsOf = (text: string): number => [...(cutting.encodeInSteps?.(text) ?? [])].length;
    expect(stepsOf("")).toBe(0);
    expect(stepsOf("a b")).toBe(1);
    expect(stepsOf("a ".repeat(50_000))).toBeGreaterThan(10);
    expect(() => stepsOf("a\ud800")).toThrow(InvalidRequestError);
  });

  test("refuses a lone surrogate and names it", () => {
    expect(() => tokenizer.encode("a\ud83db")).toThrow(InvalidRequestError);
    expect(() => tokenizer.encode("a\ud83db")).toThrow("U+D83D");
  });
});

describe("createByteLevelBpeTokenizer()", () => {
  const create = (json: string) => createByteLevelBpeTokenizer(utf8.encode(json), noOverrides);

  test.each([
    [{ normalizer: { type: "NFKC" } }, 'a normaliser of type "NFKC"'],
    [
      { added_tokens: [added(256, "<w>", { single_word: true })] },
      'the added token "<w>" with single_word',
    ],
    [
      { normalizer: nfc, added_tokens: [added(256, "e\u0301", { normalized: true })] },
      'the added token "e\u0301" is not in NFC',
    ],
  ])("refuses %j by the name of the feature", (changes, feature) => {
    expect(() => create(definition(changes))).toThrow(new UnsupportedFeatureError(feature));
  });

  test("takes what is implemented exactly, and nothing that is no JSON", () => {
    expect(() => create(definition({}))).not.toThrow();
    expect(() => create("{")).toThrow(UnsupportedFeatureError);
    expect(() => create("{")).toThrow("JSON");
  });
});
