/**
 * The tokenizers of real checkpoints: ids and texts are the library's, on what is hard for a
 * tokenizer and on random text, and hard texts take no more than linear time.
 */
import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { jsonMember } from "../../../src/tokenizer/json-member.ts";
import { checkpointDirectory, type TestCheckpoint } from "../../fixtures/checkpoints.ts";
import { type Random, randomFrom, seedOf } from "../../harness/random.ts";
import { growthOverTenfold } from "../../harness/work.ts";
import { TokenizerPair } from "./binding.ts";
import { hardTexts, surroundings } from "./hard-texts.ts";

const codePointMax = 0x10_ffff;
const sampledCodePoints = 1_500;
const fuzzedTexts = 4_000;

class RealTokenizer extends TokenizerPair {
  readonly idMax: number;
  /** The texts of tokens that are whole characters. */
  readonly tokenTexts: readonly string[];
  readonly markers: readonly string[];

  constructor(json: string, tokenTexts: readonly string[]) {
    super(json);
    this.tokenTexts = tokenTexts;
    const added: { content: string }[] = JSON.parse(jsonMember(json, ["added_tokens"]) ?? "[]");
    this.markers = added.map(({ content }) => content);
    this.idMax = Math.max(...Object.values(this.rust.getVocab(true)));
  }
}

async function load(checkpoint: TestCheckpoint): Promise<RealTokenizer> {
  const json = readFileSync(join(checkpointDirectory(checkpoint), "tokenizer.json"), "utf8");
  const pair = new TokenizerPair(json);
  const ids = Array.from({ length: 8_000 }, (_, index) => [16 * index]);
  const texts = await pair.rust.decodeBatch(ids, false);
  return new RealTokenizer(
    json,
    texts.filter((text) => !text.includes("\ufffd")),
  );
}

function randomCodePoint(random: Random): string {
  // Most of Unicode is unassigned; most of the interest is in what is not.
  const [first, last] = random.pick([
    [0, 0x7ff],
    [0x800, 0xd7ff],
    [0xe000, 0xffff],
    [0x1_0000, 0x3_2fff],
    [0xe_0000, codePointMax],
  ] as const);
  return String.fromCodePoint(random.integer(first, last));
}

function randomPart(random: Random, { tokenTexts, markers }: RealTokenizer): string {
  const choice = random.integer(0, 19);
  if (choice < 11) return random.pick(tokenTexts);
  if (choice < 13) return random.pick(markers);
  if (choice === 13) return random.pick(markers).slice(0, random.integer(1, 8)).toWellFormed();
  if (choice === 14) return random.pick([..."\u0301\u0323\u0345\u1161\u11a8\u093c\u3099"]);
  if (choice < 17) return random.pick([..." \t\n\r'\u00a0\u0085\u2028\ufeff\u200d"]);
  return randomCodePoint(random);
}

const qwen3 = await load("qwen3");
const deepseek = await load("deepseekv32");

describe.each([
  ["qwen3", qwen3],
  ["deepseekv32", deepseek],
] as const)("%s", (checkpoint, tokenizer) => {
  const random = randomFrom(seedOf(`real tokenizer, ${checkpoint}`));

  test("encodes hard texts like the library, and decodes them", async () => {
    const texts = hardTexts(tokenizer.markers);
    expect(await tokenizer.encodingDifferences(texts)).toEqual([]);
    const lists = await Promise.all(texts.map((text) => tokenizer.own.encode(text)));
    expect(await tokenizer.decodingDifferences(lists)).toEqual([]);
  });

  test("encodes sampled code points in all surroundings like the library", async () => {
    const texts = Array.from({ length: sampledCodePoints }, () =>
      surroundings(randomCodePoint(random)),
    ).flat();
    expect(await tokenizer.encodingDifferences(texts)).toEqual([]);
  });

  test("encodes random pieces of its vocabulary like the library", async () => {
    const texts = Array.from({ length: fuzzedTexts }, () =>
      Array.from({ length: random.integer(1, 9) }, () => randomPart(random, tokenizer)).join(""),
    );
    expect(await tokenizer.encodingDifferences(texts)).toEqual([]);
  });

  test("decodes random ids like the library, unknown ones included", async () => {
    const lists = Array.from({ length: fuzzedTexts }, () =>
      Array.from({ length: random.integer(1, 30) }, () => random.integer(0, tokenizer.idMax + 50)),
    );
    expect(await tokenizer.decodingDifferences(lists)).toEqual([]);
  });

  test("gives every token of the vocabulary its id", () => {
    const wrong = Object.entries(tokenizer.rust.getVocab(true)).filter(
      ([token, id]) => tokenizer.own.tokenId(token) !== id,
    );
    expect(wrong).toEqual([]);
  });
});

describe("encode() takes linear time", () => {
  const { own } = qwen3;
  const length = 100_000;
  test.each([
    ["one letter", "a"],
    ["spaces", " "],
    ["line feeds", "\n"],
    ["tabs and spaces", "\t "],
    ["words of one letter", "a "],
    ["one punctuation mark", "="],
    ["Han", "\u4e2d"],
    ["combining marks", "\u0301"],
    ["the beginning of a marker", "<|im_start"],
    ["the first character of a marker", "<"],
  ])("for 100,000 characters: %s", (_name, unit) => {
    const ten = unit.repeat(length / unit.length);
    const one = ten.slice(0, length / 10);
    own.encode(ten);
    // Quadratic time would be a hundred times as much for ten times the text, and minutes.
    const growth = growthOverTenfold((size) => void own.encode(size === "one" ? one : ten), 40);
    expect(growth).toBeLessThan(40);
  });
});
