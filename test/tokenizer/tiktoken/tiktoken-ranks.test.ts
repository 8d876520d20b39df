import { expect, test } from "bun:test";
import { hashBytes } from "../../../src/tokenizer/byte-level-bpe/vocabulary.ts";
import { CheckpointError } from "../../../src/tokenizer/checkpoint-error.ts";
import { readTiktokenRanks } from "../../../src/tokenizer/tiktoken/tiktoken-ranks.ts";
import { tiktokenModel } from "../../fixtures/tiktoken.ts";

test("readTiktokenRanks() finds every token by its bytes", () => {
  const { vocabulary, tokenCount } = readTiktokenRanks(tiktokenModel(["ab", "é"]), "m");
  const id = (text: string) => {
    const bytes = new TextEncoder().encode(text);
    return vocabulary.find(bytes, 0, bytes.length, hashBytes(bytes, 0, bytes.length));
  };
  expect([id("a"), id("ab"), id("é"), id("ba"), tokenCount]).toEqual([97, 256, 257, -1, 258]);
});

test("readTiktokenRanks() refuses what is no list of ranks, by line", () => {
  const refuse = (model: string, reason: string) => {
    expect(() => readTiktokenRanks(model, "path/tiktoken.model")).toThrow(CheckpointError);
    expect(() => readTiktokenRanks(model, "path/tiktoken.model")).toThrow(reason);
  };
  refuse("version https://git-lfs\n", "path/tiktoken.model: line 1 is not Base64, a space and");
  refuse("YQ== 0\nYg== 2\n", "line 2 has the rank 2; expected 1");
  refuse("YQ== 0\nYQ== 1\n", "line 2 repeats a token");
  refuse("YQ== 0\n", "has no token for the byte 0");
});
