import { describe, expect, test } from "bun:test";
import { JsonCursor } from "../../../src/tokenizer/byte-level-bpe/json-cursor.ts";
import { noRank } from "../../../src/tokenizer/byte-level-bpe/merge-table.ts";
import { readBytePairModel } from "../../../src/tokenizer/byte-level-bpe/model-reader.ts";
import { bytePairModel, spelled } from "./definitions.ts";

const model = bytePairModel([
  ["a", "b"],
  ["ab", "c"],
  [" ", "ab"],
]);

function read(value: unknown) {
  return readBytePairModel(new JsonCursor(new TextEncoder().encode(JSON.stringify(value))));
}

describe("readBytePairModel()", () => {
  test("reads vocabulary, merges and the tokens of single bytes", () => {
    const { byteTokens, ignoreMerges, merges, tokenCount } = read(model);
    expect([...byteTokens]).toEqual([...Array(256).keys()]);
    expect(tokenCount).toBe(259);
    expect(ignoreMerges).toBe(false);
    expect(merges.rank(97, 98)).toBe(0);
    expect(merges.rank(256, 99)).toBe(1);
    expect(merges.rank(32, 256)).toBe(2);
    expect(merges.rank(98, 99)).toBe(noRank);
    expect([0, 1, 2].map((rank) => merges.merged(rank))).toEqual([256, 257, 258]);
  });

  test("takes merges before the vocabulary, and as strings", () => {
    const { vocab, merges, ...options } = model;
    const strings = merges.map((pair) => pair.join(" "));
    const reordered = read({ merges: strings, ...options, vocab });
    expect(reordered.merges.rank(32, 256)).toBe(2);
  });

  test("takes ids in any order and with gaps", () => {
    const { vocab } = model;
    const shifted = Object.fromEntries(
      Object.entries(vocab).map(([token, id]) => [token, 3000 - id]),
    );
    const { byteTokens, merges } = read({ ...model, vocab: shifted });
    expect(byteTokens[97]).toBe(3000 - 97);
    expect(merges.merged(merges.rank(3000 - 97, 3000 - 98))).toBe(3000 - 256);
  });

  test("keeps tokens apart that are not of the byte alphabet", () => {
    const { otherTokens, tokenCount, vocabulary } = read({
      ...model,
      vocab: { ...model.vocab, "<｜end｜>": 300 },
    });
    expect([...otherTokens]).toEqual([["<｜end｜>", 300]]);
    expect(tokenCount).toBe(260);
    const bytes = vocabulary.bytes.subarray(vocabulary.start(300), vocabulary.end(300));
    expect(new TextDecoder().decode(bytes)).toBe("<｜end｜>");
  });
});

test("a token of other characters is not what a merge makes, although its bytes are the same", () => {
  const { [spelled(" ab")]: id, ...vocab } = model.vocab;
  expect(id).toBe(258);
  expect(() => read({ ...model, vocab: { ...vocab, " ab": id } })).toThrow("what is no token");
});

describe("refuses", () => {
  const { vocab, merges, ...options } = model;
  const { [spelled(" ")]: _, ...withoutSpace } = vocab;
  test.each([
    ["another type", { ...model, type: "WordPiece" }, 'model of type "WordPiece"'],
    ["no type", { vocab, merges }, "model of type undefined"],
    ["dropout", { ...model, dropout: 0.1 }, "dropout = 0.1"],
    ["a prefix", { ...model, continuing_subword_prefix: "##" }, "continuing_subword_prefix"],
    ["a suffix", { ...model, end_of_word_suffix: "</w>" }, "end_of_word_suffix"],
    ["an unknown option", { ...model, new_option: true }, "new_option = true"],
    ["an odd ignore_merges", { ...model, ignore_merges: 1 }, "ignore_merges"],
    ["no vocabulary", { ...options, merges }, "without vocabulary"],
    ["no merges", { ...options, vocab }, "without vocabulary or merges"],
    ["no object", [], "no object"],
    ["a vocabulary without a byte", { ...model, vocab: withoutSpace, merges: [] }, "the byte 32"],
    ["a merge of no token", { ...model, merges: [["a", "z"]] }, "a merge of what is no token"],
    ["a merge of other characters", { ...model, merges: [["｜", "a"]] }, "byte alphabet"],
    ["an id that is given twice", { ...model, vocab: { ...vocab, zz: 5 } }, "an id twice"],
  ])("%s", (_name, value, reason) => {
    expect(() => read(value)).toThrow(reason);
  });
});
