import { describe, expect, test } from "bun:test";
import { bounds } from "../../src/chat-template/bounds.ts";

describe("bounds", () => {
  test("are positive integers", () => {
    for (const bound of Object.values(bounds)) {
      expect(Number.isSafeInteger(bound) && bound > 0).toBe(true);
    }
  });

  test("leave a loop over the longest range", () => {
    expect(bounds.rangeLength).toBeLessThanOrEqual(bounds.iterations);
    expect(bounds.rangeLength).toBeLessThanOrEqual(bounds.listLength);
  });
});
