import { describe, expect, test } from "bun:test";
import { PreTokenizer } from "../../../src/tokenizer/byte-level-bpe/pre-tokenizer.ts";
import { translatePattern } from "../../../src/tokenizer/byte-level-bpe/split-pattern.ts";

function piecesOf(text: string, ...patterns: readonly string[]): string[] {
  const { ends, count } = new PreTokenizer(patterns.map(translatePattern)).split(text);
  return [...ends.subarray(0, count)].map((end, index) =>
    text.slice(index === 0 ? 0 : ends[index - 1], end),
  );
}

describe("split()", () => {
  test("isolates matches and keeps what lies between", () => {
    expect(piecesOf("ab12cd3", "\\d+")).toEqual(["ab", "12", "cd", "3"]);
    expect(piecesOf("12", "\\d+")).toEqual(["12"]);
    expect(piecesOf("abc", "\\d+")).toEqual(["abc"]);
  });

  test("gives the whole text without a pattern", () => {
    expect(piecesOf("abc")).toEqual(["abc"]);
  });

  test("applies each pattern within the pieces of the one before", () => {
    // The look-ahead of the second pattern must not see past a piece of the first.
    expect(piecesOf("a1b  2", "\\d", " +(?!\\S)")).toEqual(["a", "1", "b", "  ", "2"]);
    expect(piecesOf("b  2", " +(?!\\S)")).toEqual(["b", " ", " 2"]);
  });

  test("splits part by part as it does at once, behind any number of units", () => {
    const text = "ab12 \u{1f600}é  cd3\n\nxyz  1 ".repeat(20);
    for (const patterns of [[], ["\\d"], ["\\d", " +(?!\\S)|[^ ]+"], ["\\s+(?!\\S)|\\S+|\\s"]]) {
      const preTokenizer = new PreTokenizer(patterns.map(translatePattern));
      const whole = piecesOf(text, ...patterns);
      for (const units of [1, 7, 100, text.length]) {
        const parts: string[] = [];
        for (let start = 0; start < text.length; ) {
          const { ends, count } = preTokenizer.split(text, start, units);
          expect(count).toBeGreaterThan(0);
          for (const end of ends.subarray(0, count)) {
            parts.push(text.slice(start, end));
            start = end;
          }
        }
        expect(parts).toEqual(whole);
      }
    }
  });

  test("grows with the number of pieces and starts anew for the next text", () => {
    const preTokenizer = new PreTokenizer([translatePattern("[ab]")]);
    expect(preTokenizer.split("ab".repeat(300_000)).count).toBe(600_000);
    const { ends, count } = preTokenizer.split("ab");
    expect([...ends.subarray(0, count)]).toEqual([1, 2]);
  });
});
