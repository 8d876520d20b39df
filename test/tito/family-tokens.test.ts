import { describe, expect, test } from "bun:test";
import { defaultFamily } from "../../src/tito/families/default.ts";
import type { TitoFamilyDefinition } from "../../src/tito/family.ts";
import { resolveFamilyTokens } from "../../src/tito/family-tokens.ts";
import { type Checkpoint, loadCheckpoint } from "../../src/tokenizer/checkpoint.ts";
import { CheckpointError } from "../../src/tokenizer/checkpoint-error.ts";

/** <|im_start|> 256, <|im_end|> 257, <|endoftext|> 258, <think> 259; a line feed is 10. */
const demo = await loadCheckpoint(null, { chatTemplatePath: null });

function resolve(changes: Partial<TitoFamilyDefinition>, checkpoint: Checkpoint = demo) {
  return resolveFamilyTokens({ ...defaultFamily, ...changes }, "test", checkpoint);
}

describe("resolveFamilyTokens() boundary rules", () => {
  test("concatenate: nothing is dropped or added", () => {
    const tokens = resolve({});
    expect(tokens.junctionAfter(257)).toEqual({ dropLast: 0, tokens: [] });
    expect(tokens.maxTrimTokens).toBe(0);
    expect([...tokens.trailing]).toEqual([]);
  });

  test("complete_line: a line feed follows the end of a turn", () => {
    const tokens = resolve({ boundary: { kind: "complete_line", endOfTurn: "<|im_end|>" } });
    expect(tokens.junctionAfter(257)).toEqual({ dropLast: 0, tokens: [10] });
    expect(tokens.junctionAfter(10)).toEqual({ dropLast: 0, tokens: [] });
    expect(tokens.junctionAfter(undefined)).toEqual({ dropLast: 0, tokens: [] });
    expect(tokens.maxTrimTokens).toBe(0);
    expect([...tokens.trailing]).toEqual([10]);
  });

  test("drop_opener: an opener of the next message goes", () => {
    const openers = ["<|im_start|>", "<|endoftext|>"];
    const tokens = resolve({ boundary: { kind: "drop_opener", openers } });
    expect(tokens.junctionAfter(256)).toEqual({ dropLast: 1, tokens: [] });
    expect(tokens.junctionAfter(258)).toEqual({ dropLast: 1, tokens: [] });
    expect(tokens.junctionAfter(257)).toEqual({ dropLast: 0, tokens: [] });
    expect(tokens.maxTrimTokens).toBe(1);
    expect([...tokens.trailing]).toEqual([256, 258]);
  });
});

describe("resolveFamilyTokens() sets", () => {
  test("segments at all special tokens but the excepted ones", () => {
    const except = ["<|im_end|>"];
    expect([...resolve({ segments: { kind: "special_tokens", except } }).segmenting]).toEqual([
      256, 258,
    ]);
  });

  test("segments at the named tokens only", () => {
    const { segmenting } = resolve({ segments: { kind: "only", tokens: ["<think>"] } });
    expect([...segmenting]).toEqual([259]);
  });

  test("joins the family's trailing tokens with those of the boundary rule", () => {
    const { trailing } = resolve({
      trailingTokens: ["<think>"],
      boundary: { kind: "complete_line", endOfTurn: "<|im_end|>" },
    });
    expect([...trailing]).toEqual([259, 10]);
  });
});

describe("resolveFamilyTokens() refuses", () => {
  test("a checkpoint without a named token", () => {
    const missing = () => resolve({ trailingTokens: ["<|user|>"] });
    expect(missing).toThrow(CheckpointError);
    expect(missing).toThrow('checkpoint demo has no token <|user|>, which the TITO family "test"');
  });

  test("a checkpoint that writes a line feed as several tokens", () => {
    const checkpoint = { ...demo, lineFeedTokens: [1, 2] };
    const boundary = { kind: "complete_line", endOfTurn: "<|im_end|>" } as const;
    expect(() => resolve({ boundary }, checkpoint)).toThrow("writes a line feed as 2 tokens");
  });
});
