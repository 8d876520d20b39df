import { expect, test } from "bun:test";
import { JsonCursor } from "../../../src/tokenizer/byte-level-bpe/json-cursor.ts";
import { readBytePairModel } from "../../../src/tokenizer/byte-level-bpe/model-reader.ts";
import { PieceEncoder } from "../../../src/tokenizer/byte-level-bpe/piece-encoder.ts";
import { PreTokenizer } from "../../../src/tokenizer/byte-level-bpe/pre-tokenizer.ts";
import { translatePattern } from "../../../src/tokenizer/byte-level-bpe/split-pattern.ts";
import { randomFrom, seedOf } from "../../harness/random.ts";
import { bytePairModel } from "./definitions.ts";

const merges = [
  ["a", "b"],
  ["b", "c"],
] as const;

function encoderOf(changes: object, ...patterns: readonly string[]): PieceEncoder {
  const json = JSON.stringify({ ...bytePairModel(merges), ...changes });
  const model = readBytePairModel(new JsonCursor(new TextEncoder().encode(json)));
  return new PieceEncoder(model, new PreTokenizer(patterns.map(translatePattern)));
}

function encode(encoder: PieceEncoder, text: string): number[] {
  const ids: number[] = [];
  encoder.encode(text, ids);
  return ids;
}

test("encode() merges within pieces and not across them", () => {
  expect(encode(encoderOf({}), "abab")).toEqual([256, 256]);
  expect(encode(encoderOf({}, "b"), "abab")).toEqual([97, 98, 97, 98]);
});

test("encode() takes a piece that is a token as a whole when merges are to be ignored", () => {
  const vocab = { ...bytePairModel(merges).vocab, abc: 300 };
  expect(encode(encoderOf({ vocab }), "abc")).toEqual([256, 99]);
  expect(encode(encoderOf({ vocab, ignore_merges: true }), "abc")).toEqual([300]);
  expect(encode(encoderOf({ vocab, ignore_merges: true }), "abcc")).toEqual([256, 99, 99]);
});

test("encode() gives long texts of many scripts the bytes that they have", () => {
  const random = randomFrom(seedOf("piece encoder"));
  const encoder = encoderOf({ merges: [] }, "[a-z]+|\\p{Han}");
  const characters = ["a", "z", " ", "\u00e9", "\u4e2d", "\u{1f600}", "\u0000"];
  for (let round = 0; round < 12; round += 1) {
    const count = random.integer(15_000, 50_000);
    const text = Array.from({ length: count }, () => random.pick(characters)).join("");
    expect(encode(encoder, text)).toEqual([...new TextEncoder().encode(text)]);
  }
  // One piece that is longer than a window, and a window of ASCII alone behind it.
  const text = `${"z".repeat(40_000)}\u4e2d${"z ".repeat(20_000)}`;
  expect(encode(encoder, text)).toEqual([...new TextEncoder().encode(text)]);
});
