import { describe, expect, test } from "bun:test";
import {
  type ComparatorOptions,
  compareTokenSequences,
} from "../../src/tito/token-sequence-comparator.ts";
import type { Tokenizer } from "../../src/tokenizer/tokenizer.ts";

/** Ids are code points; upper-case letters are the special tokens. */
const specialIds = new Set(Array.from("ABCDEFGHIJKLMNOPQRSTUVWXYZ", (letter) => idOf(letter)));

function idOf(character: string): number {
  return character.codePointAt(0) ?? 0;
}

const decoded: string[] = [];
const tokenizer: Tokenizer = {
  encode: (text) => Array.from(text, idOf),
  decode(ids) {
    const text = String.fromCodePoint(...ids);
    decoded.push(text);
    // Two tokens with one text: another tokenization of the same.
    return text.replaceAll("é", "e");
  },
  tokenId: idOf,
  specialTokenIds: specialIds,
};

const options: ComparatorOptions = {
  tokenizer,
  segmenting: specialIds,
  trailing: new Set([idOf("\n")]),
  assistantStart: "Aassistant",
};

function compare(expected: string, actual: string, changes: Partial<ComparatorOptions> = {}) {
  const ids = (text: string) => Array.from(text, idOf);
  return compareTokenSequences({ ...options, ...changes }, ids(expected), ids(actual));
}

describe("compareTokenSequences()", () => {
  test("finds nothing in equal sequences and decodes nothing", async () => {
    decoded.length = 0;
    expect(await compare("AuserhiBAassistantyo", "AuserhiBAassistantyo")).toEqual([]);
    expect(await compare("", "")).toEqual([]);
    expect(decoded).toEqual([]);
  });

  test("ignores trailing tokens at either end, but not in between", async () => {
    expect(await compare("AaB\n\n", "AaB")).toEqual([]);
    expect(await compare("\n", "")).toEqual([]);
    expect((await compare("Aa\nB", "AaB")).length).toBe(1);
  });

  test("ignores another tokenization of the same text", async () => {
    expect(await compare("AuserheyB", "AuserhéyB")).toEqual([]);
  });

  test("reports text outside of an assistant", async () => {
    expect(await compare("AuserhiB", "AuserhoB")).toEqual([
      {
        type: "non_assistant_text",
        segment_index: 1,
        expected_text: "userhi",
        actual_text: "userho",
        detail: "",
      },
    ]);
  });

  test("reports an assistant's text apart, when both are an assistant's", async () => {
    const [both] = await compare("Aassistant1B", "Aassistant2B");
    expect(both?.type).toBe("assistant_text");
    const [one] = await compare("Aassistant1B", "Auser2B");
    expect(one?.type).toBe("non_assistant_text");
    const [none] = await compare("Aassistant1B", "Aassistant2B", { assistantStart: null });
    expect(none?.type).toBe("non_assistant_text");
  });

  test("takes no assistant where no marker stands before", async () => {
    const [mismatch] = await compare("assistant1", "assistant2", { assistantStart: "assistant" });
    expect(mismatch?.type).toBe("non_assistant_text");
  });

  test("reports another special token in the same place", async () => {
    expect(await compare("AaB", "AaC")).toEqual([
      {
        type: "special_token_type",
        segment_index: 2,
        expected_text: "B",
        actual_text: "C",
        detail: "",
      },
    ]);
  });

  test("reports sequences that cannot be aligned once, with their structure", async () => {
    expect(await compare("AabB", "AabBC")).toEqual([
      {
        type: "special_token_count",
        segment_index: -1,
        expected_text: "[A] (2 tokens) [B]",
        actual_text: "[A] (2 tokens) [B] [C]",
        detail: "segment count differs: expected 3, got 4",
      },
    ]);
    const [pattern] = await compare("Aab", "abA");
    expect(pattern?.detail).toBe("segment structure (special/content pattern) differs");
  });
});
