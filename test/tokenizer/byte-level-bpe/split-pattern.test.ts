import { describe, expect, test } from "bun:test";
import { PreTokenizer } from "../../../src/tokenizer/byte-level-bpe/pre-tokenizer.ts";
import {
  literalPattern,
  translatePattern,
} from "../../../src/tokenizer/byte-level-bpe/split-pattern.ts";
import { randomFrom, seedOf } from "../../harness/random.ts";
import { librarySplitter } from "./binding.ts";

const patterns = {
  gpt2: "'s|'t|'re|'ve|'m|'ll|'d| ?\\p{L}+| ?\\p{N}+| ?[^\\s\\p{L}\\p{N}]+|\\s+(?!\\S)|\\s+",
  qwen:
    "(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\\r\\n\\p{L}\\p{N}]?\\p{L}+|\\p{N}| ?[^\\s\\p{L}\\p{N}]+[\\r\\n]*" +
    "|\\s*[\\r\\n]+|\\s+(?!\\S)|\\s+",
  o200k:
    "[^\\r\\n\\p{L}\\p{N}]?[\\p{Lu}\\p{Lt}\\p{Lm}\\p{Lo}\\p{M}]*[\\p{Ll}\\p{Lm}\\p{Lo}\\p{M}]+" +
    "(?i:'s|'t|'re|'ve|'m|'ll|'d)?|[^\\r\\n\\p{L}\\p{N}]?[\\p{Lu}\\p{Lt}\\p{Lm}\\p{Lo}\\p{M}]+" +
    "[\\p{Ll}\\p{Lm}\\p{Lo}\\p{M}]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?|\\p{N}{1,3}" +
    "| ?[^\\s\\p{L}\\p{N}]+[\\r\\n/]*|\\s*[\\r\\n]+|\\s+(?!\\S)|\\s+",
  deepseekDigits: "\\p{N}{1,3}",
  deepseekHan: "[一-龥぀-ゟ゠-ヿ]+",
  deepseekWords:
    "[!\"#$%&'()*+,\\-./:;<=>?@\\[\\\\\\]^_`{|}~][A-Za-z]+|[^\r\n\\p{L}\\p{P}\\p{S}]?[\\p{L}\\p{M}]+" +
    "| ?[\\p{P}\\p{S}]+[\r\n]*|\\s*[\\r\\n]+|\\s+(?!\\S)|\\s+",
  lines: "\\n+|.{2,5}(?=x)",
  groups: "(ab|(?:c|d)+)e{2}|\\d{2,}|\\.",
};

const alphabet = [
  ..."aAbcdexSstTrReElLmMvVdDkK019",
  ..."'''    \t\n\r.,-/!?()[]",
  ..."\u017f\u212a\u0130\u0149\u00df\ufb06\u00e9\u0301\u0345\u3042\u4e2d\u9fa5\u9fa6\uac00\u0e01",
  ..."\u00a0\u0085\u2028\u2029\u200b\u200d\ufeff\u3000\u0000\u00ad\u2019",
  ..."\u0661\u0967\u2167\u00bd\u{1d7d8}\u{16ea0}\u{1f600}\u{1f468}\u{10ffff}\u0378\u0295\u01c5\u02b0",
];

describe("translatePattern() cuts random text as the library does", () => {
  const seed = seedOf("split patterns");
  test.each(Object.entries(patterns))("%s", (_, pattern) => {
    const random = randomFrom(seed);
    const preTokenizer = new PreTokenizer([translatePattern(pattern)]);
    const librarySplit = librarySplitter(pattern);
    for (let round = 0; round < 3_000; round += 1) {
      const characters = Array.from({ length: random.integer(1, 24) }, () => random.pick(alphabet));
      const text = characters.join("");
      const { ends, count } = preTokenizer.split(text);
      const pieces = [...ends.subarray(0, count)].map((end, index) =>
        text.slice(index === 0 ? 0 : ends[index - 1], end),
      );
      expect(pieces).toEqual(librarySplit(text));
    }
  });
});

describe("translatePattern() refuses", () => {
  test.each([
    ["a*", "matches the empty text"],
    ["|a", "matches the empty text"],
    ["a++", "possessive"],
    ["a+?", "lazy"],
    ["(?:a?)+", "what may be empty"],
    ["(?!a)*b", "quantified look-ahead"],
    ["^a", "bare ^"],
    ["a$", "bare $"],
    ["a{,3}", "{ that is no quantifier"],
    ["a{3,1}", "reversed"],
    ["(?<=a)b", "group of another kind"],
    ["(?>a)b", "group of another kind"],
    ["(?i)a", "group of another kind"],
    ["(?i:stop)", "ligature"],
    ["(?i:\u00e9)", "plain ASCII"],
    ["(?i:a+)", "plain ASCII"],
    ["\\bword", "escape \\b"],
    ["\\w+", "escape \\w"],
    ["(a)\\1", "escape \\1"],
    ["(a", "without end"],
    ["a)", "unmatched )"],
    ["[^\\s\\S]", "empty character class"],
    ["\\p{Greek}", "property \\p{Greek}"],
  ])("%s", (pattern, reason) => {
    expect(() => translatePattern(pattern)).toThrow(reason);
  });
});

test("literalPattern() matches its text and nothing else", () => {
  const pattern = literalPattern("a.(\u{1f600}");
  expect(pattern.test("a.(\u{1f600}")).toBe(true);
  pattern.lastIndex = 0;
  expect(pattern.test("ab(\u{1f600}")).toBe(false);
  expect(() => literalPattern("")).toThrow("empty text");
});
