import { describe, expect, test } from "bun:test";
import { specialToken } from "../../../src/tokenizer/added-token.ts";
import { AddedVocabulary } from "../../../src/tokenizer/byte-level-bpe/added-vocabulary.ts";

function vocabulary(): AddedVocabulary {
  return new AddedVocabulary(10, (text) => (text === "known" ? 4 : undefined));
}

describe("add()", () => {
  test("gives new texts the ids behind the model's, and known ones their own", () => {
    const added = vocabulary();
    added.add(["<a>", "known", "<b>"].map(specialToken));
    added.add([specialToken("<c>")]);
    expect(added.tokens.map(({ token, id }) => [token.content, id])).toEqual([
      ["<a>", 10],
      ["known", 4],
      ["<b>", 11],
      ["<c>", 12],
    ]);
  });

  test("keeps the id of a text that is given again and takes its new settings", () => {
    const added = vocabulary();
    added.add(["<a>", "<b>"].map(specialToken));
    added.add([{ ...specialToken("<a>"), special: false }]);
    expect(added.get("<a>")).toMatchObject({ id: 10, token: { special: false } });
    expect(added.tokens).toHaveLength(2);
  });

  test("leaves out the empty text", () => {
    const added = vocabulary();
    added.add(["", "<a>"].map(specialToken));
    expect(added.tokens.map(({ id }) => id)).toEqual([10]);
  });

  test("refuses single_word, by the token's name", () => {
    const token = { ...specialToken("<w>"), singleWord: true };
    expect(() => vocabulary().add([token])).toThrow('"<w>" with single_word');
  });
});
