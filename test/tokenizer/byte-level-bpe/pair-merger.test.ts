import { describe, expect, test } from "bun:test";
import { MergeTable } from "../../../src/tokenizer/byte-level-bpe/merge-table.ts";
import { PairMerger } from "../../../src/tokenizer/byte-level-bpe/pair-merger.ts";
import { type Random, randomFrom, seedOf } from "../../harness/random.ts";

interface Rule {
  readonly left: string;
  readonly right: string;
}

/** Merges in the order of training: each joins two tokens that are there already. */
function randomRules(random: Random, letters: readonly string[]): Rule[] {
  const tokens = [...letters];
  const rules: Rule[] = [];
  for (let count = 0; count < 40; count += 1) {
    const [left, right] = [random.pick(tokens), random.pick(tokens)];
    if (rules.some((rule) => rule.left === left && rule.right === right)) continue;
    rules.push({ left, right });
    if (!tokens.includes(left + right)) tokens.push(left + right);
  }
  return rules;
}

/** The definition of BPE, with texts for tokens. */
function mergeByDefinition(text: string, rules: readonly Rule[]): string[] {
  const tokens = [...text];
  for (;;) {
    let best = { rank: rules.length, index: -1 };
    for (let index = 0; index + 1 < tokens.length; index += 1) {
      const rank = rules.findIndex(
        ({ left, right }) => left === tokens[index] && right === tokens[index + 1],
      );
      if (rank >= 0 && rank < best.rank) best = { rank, index };
    }
    if (best.index < 0) return tokens;
    tokens.splice(best.index, 2, `${tokens[best.index]}${tokens[best.index + 1]}`);
  }
}

function mergerOf(rules: readonly Rule[], letters: readonly string[]) {
  const ids = new Map([...letters].map((letter, index) => [letter, index]));
  const idOf = (token: string): number => {
    const id = ids.get(token) ?? ids.size;
    ids.set(token, id);
    return id;
  };
  const merges = new MergeTable(rules.length);
  for (const { left, right } of rules) merges.add(idOf(left), idOf(right), idOf(left + right));
  const byteTokens = new Int32Array(256);
  for (const [index, letter] of letters.entries()) byteTokens[letter.charCodeAt(0)] = index;
  const merger = new PairMerger(merges, byteTokens);
  const texts = (): string[] => [...ids.keys()];
  return (text: string): (string | undefined)[] => {
    const bytes = new TextEncoder().encode(`#${text}#`);
    const { tokens, count } = merger.merge(bytes, 1, bytes.length - 1);
    return [...tokens.subarray(0, count)].map((id) => texts()[id]);
  };
}

describe("merge() agrees with the definition of BPE", () => {
  const letters = ["a", "b", "c"];
  test.each([
    ["short pieces", 1, 64, 600],
    ["long pieces", 65, 200, 60],
  ])("%s", (name, lengthMin, lengthMax, rounds) => {
    const random = randomFrom(seedOf(`pair merger, ${name}`));
    for (let round = 0; round < rounds; round += 1) {
      const rules = randomRules(random, letters);
      const merge = mergerOf(rules, letters);
      const length = random.integer(lengthMin, lengthMax);
      const text = Array.from({ length }, () => random.pick(letters)).join("");
      expect(merge(text)).toEqual(mergeByDefinition(text, rules));
    }
  });
});

test("merge() takes a million equal bytes at once, and a short piece after them", () => {
  const rules: Rule[] = [];
  for (let length = 1; length <= 16; length *= 2) {
    rules.push({ left: "a".repeat(length), right: "a".repeat(length) });
  }
  const merge = mergerOf(rules, ["a"]);
  const tokens = merge("a".repeat(1_000_000));
  expect(tokens).toHaveLength(31_250);
  expect(new Set(tokens)).toEqual(new Set(["a".repeat(32)]));
  expect(merge("aaa")).toEqual(["aa", "a"]);
});
