import { describe, expect, test } from "bun:test";
import { KeptBytes } from "../../src/trajectory/kept-bytes.ts";

const text = (kept: KeptBytes, length?: number) => Buffer.from(kept.view(length)).toString();

describe("KeptBytes", () => {
  test("keeps the beginning and replaces the end", () => {
    const kept = new KeptBytes();
    expect(text(kept)).toBe("");
    kept.replaceEnd(0, Buffer.from("one two"));
    kept.replaceEnd(4, Buffer.from("three four"));
    expect(text(kept)).toBe("one three four");
    kept.replaceEnd(3, Buffer.from(""));
    expect(text(kept)).toBe("one");
    expect(text(kept, 2)).toBe("on");
    expect(kept.byteLength).toBe(3);
  });

  test("moves what it keeps a few times, however many turns add to it", () => {
    const kept = new KeptBytes();
    const memories = new Set<ArrayBufferLike>();
    for (let turn = 0; turn < 1_000; turn += 1) {
      kept.replaceEnd(kept.byteLength, Buffer.from("0123456789"));
      memories.add(kept.view().buffer);
      expect(kept.view().buffer.byteLength).toBeLessThanOrEqual(1.25 * kept.byteLength + 1);
    }
    expect(text(kept)).toBe("0123456789".repeat(1_000));
    expect(memories.size).toBeLessThan(50);
  });
});
