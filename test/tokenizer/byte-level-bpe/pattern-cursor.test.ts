import { expect, test } from "bun:test";
import { PatternCursor } from "../../../src/tokenizer/byte-level-bpe/pattern-cursor.ts";

test("PatternCursor walks by characters, not by code units", () => {
  const cursor = new PatternCursor("\u{1f600}(?:a}");
  expect(cursor.take()).toBe("\u{1f600}");
  expect(cursor.startsWith("(?:")).toBe(true);
  expect(cursor.takeIf("(?=")).toBe(false);
  expect(cursor.takeIf("(?:")).toBe(true);
  expect(cursor.takeUntil("]")).toBeNull();
  expect(cursor.takeUntil("}")).toBe("a");
  expect(cursor.isAtEnd).toBe(true);
  expect(cursor.next).toBe("");
});
