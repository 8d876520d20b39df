import { heapStats } from "bun:jsc";
import { describe, expect, test } from "bun:test";
import { parseJson, writeJson } from "../../src/json/lossless.ts";
import type { JsonObject } from "../../src/json/values.ts";
import { ownMessage, ownText, ownValue } from "../../src/trajectory/own-copy.ts";

const mebibyte = 1024 * 1024;

/** MiB of memory that stay held by what `keep` makes of 64 texts of 1 MiB each. */
function heldMebibytes(keep: (text: string) => unknown): number {
  Bun.gc(true);
  const before = heapStats().extraMemorySize;
  const kept = Array.from({ length: 64 }, (_, index) => {
    const text = `{"content":"${index} of many","rest":"${"x".repeat(mebibyte)}"}`;
    return keep(Buffer.from(text).toString());
  });
  Bun.gc(true);
  const held = (heapStats().extraMemorySize - before) / mebibyte;
  expect(kept).toHaveLength(64);
  return held;
}

function contentOf(text: string): JsonObject {
  const parsed = parseJson(text) as JsonObject;
  return new Map([["content", parsed.get("content") ?? null]]);
}

describe("copies keep nothing alive but themselves", () => {
  test("which a slice does, so that this test can tell", () => {
    expect(heldMebibytes((text) => text.slice(12, 24))).toBeGreaterThan(32);
    expect(heldMebibytes(contentOf)).toBeGreaterThan(32);
  });

  test("ownText()", () => {
    expect(heldMebibytes((text) => ownText(text.slice(12, 24)))).toBeLessThan(16);
  });

  test("ownValue() and ownMessage()", () => {
    expect(heldMebibytes((text) => ownValue([contentOf(text)]))).toBeLessThan(16);
    expect(heldMebibytes((text) => ownMessage(contentOf(text)))).toBeLessThan(16);
  });
});

test("a copy is equal to the original and lossless", () => {
  const text = '{"role":"user","content":"é你😀","n":[1.0,12345678901234567890,null,{}]}';
  expect(ownText(text)).toBe(text);
  expect(writeJson(ownMessage(parseJson(text) as JsonObject))).toBe(text);
});
