import { describe, expect, test } from "bun:test";
import { JsonCursor } from "../../../src/tokenizer/byte-level-bpe/json-cursor.ts";
import {
  readMergeTokens,
  readVocabularyTokens,
  type TokenList,
} from "../../../src/tokenizer/byte-level-bpe/token-list-reader.ts";
import { hashBytes } from "../../../src/tokenizer/byte-level-bpe/vocabulary.ts";
import { alphabet, spelled } from "./definitions.ts";

function cursorOf(text: string): JsonCursor {
  return new JsonCursor(new TextEncoder().encode(text));
}

/** The tokens as text; hashes are checked on the way. */
function tokensOf({ count, bytes, ends, hashes, others }: TokenList): string[] {
  return Array.from({ length: count }, (_, index) => {
    const [start, end] = [index === 0 ? 0 : (ends[index - 1] ?? 0), ends[index] ?? 0];
    expect(hashes[index]).toBe(hashBytes(bytes, start, end));
    return others.get(index) ?? new TextDecoder("latin1").decode(bytes.subarray(start, end));
  });
}

describe("readVocabularyTokens()", () => {
  test("reads the bytes that characters stand for, and the ids", () => {
    const entries = alphabet.map((character, byte) => [character + character, 1000 + byte]);
    const text = JSON.stringify(Object.fromEntries(entries), null, 2);
    const list = readVocabularyTokens(cursorOf(text));
    expect(tokensOf(list)).toHaveLength(256);
    for (let index = 0; index < 256; index += 1) {
      const [first = -1, second] = list.bytes.subarray(2 * index, 2 * index + 2);
      expect(second).toBe(first);
      expect(list.numbers[index]).toBe(1000 + first);
    }
  });

  test("takes escapes of any kind, and keeps other characters apart", () => {
    const text = String.raw`{"a\"\\\/":0,"\u0120x":1,"\u0041":2,"a b":3,"｜":4,"":5,"ÿÿ" : 10 }`;
    const list = readVocabularyTokens(cursorOf(text));
    expect(tokensOf(list)).toEqual(['a"\\/', " x", "A", "a b", "｜", "", "\u00ff\u00ff"]);
    expect([...list.others]).toEqual([
      [3, "a b"],
      [4, "｜"],
    ]);
    expect([...list.numbers.subarray(0, list.count)]).toEqual([0, 1, 2, 3, 4, 5, 10]);
  });

  test("does not take the bytes of other characters for characters of the alphabet", () => {
    // In UTF-8, each byte of these is the number of a character of the alphabet.
    const others = ["\u4e61", "\u{1f8b3}", "x\u4e61", "\u0221"];
    const vocabulary = Object.fromEntries(others.map((text, id) => [text, id]));
    const list = readVocabularyTokens(cursorOf(JSON.stringify(vocabulary)));
    expect([...list.others]).toEqual([...others.entries()]);
  });

  test("leaves the cursor behind the object", () => {
    const cursor = cursorOf(' {} , {"a": 1} !');
    expect(readVocabularyTokens(cursor).count).toBe(0);
    cursor.index += 2;
    expect(readVocabularyTokens(cursor).count).toBe(1);
    expect(cursor.index).toBe(14);
  });

  test.each([
    '{"a": 01}',
    '{"a": 1 2}',
    '{"a": -1}',
    '{"a": 1.0}',
    '{"a": 1e3}',
    '{"a": "b"}',
    '{"a": 1,}',
    '{"a": 1',
    '{"a',
    '{"a"',
    '{"a" 1}',
    '{"a": }',
    '{"a": 1]',
    '{"\n": 1}',
    '{"\\x": 1}',
    '{"a": 99999999999}',
  ])("refuses %j", (text) => {
    expect(() => readVocabularyTokens(cursorOf(text))).toThrow(/JSON|ids/);
  });
});

describe("readMergeTokens()", () => {
  test("reads lists of two and strings with a space alike", () => {
    const merges = [
      [spelled(" "), "t"],
      ['"', "\\"],
      [spelled("\u4e2d"), spelled("\n")],
    ];
    const lists = readMergeTokens(cursorOf(JSON.stringify(merges, null, 1)));
    const strings = readMergeTokens(cursorOf(JSON.stringify(merges.map((pair) => pair.join(" ")))));
    expect(tokensOf(lists)).toEqual([" ", "t", '"', "\\", "\u00e4\u00b8\u00ad", "\n"]);
    expect(tokensOf(strings)).toEqual(tokensOf(lists));
    const escaped = readMergeTokens(cursorOf(String.raw`["\u0120 t", "a \u0062"]`));
    expect(tokensOf(escaped)).toEqual([" ", "t", "a", "b"]);
  });

  test("keeps strings of other characters apart", () => {
    const list = readMergeTokens(cursorOf('[["｜", "a"]]'));
    expect([...list.others]).toEqual([[0, "｜"]]);
  });

  test.each([
    '["a"]',
    '["a b c"]',
    '["a  b"]',
    '["\\u0061 b c"]',
    '[["a"]]',
    '[["a", "b", "c"]]',
    '[["a" "b"]]',
    '[["a", "b"],]',
    '[["a", "b"]',
    '[["a", "b"], "c d"]',
    '["a b", ["c", "d"]]',
    "[[]]",
    "[1]",
    '["#version: 0.2"]',
    '["#version0 b"]',
  ])("refuses %s", (text) => {
    expect(() => readMergeTokens(cursorOf(text))).toThrow(/JSON|merge/);
  });
});
