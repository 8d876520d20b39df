import { describe, expect, test } from "bun:test";
import { SpanSkeleton } from "../../src/json/span-skeleton.ts";

const text = (bytes: Uint8Array): string => Buffer.from(bytes).toString();

describe("SpanSkeleton", () => {
  test("grows over many appends and hands out exactly what it got", () => {
    const skeleton = new SpanSkeleton();
    const piece = Buffer.from("0123456789".repeat(99));
    for (let count = 0; count < 50; count += 1) skeleton.append(piece);
    expect(skeleton.length).toBe(50 * piece.length);
    const whole = skeleton.finish();
    expect(text(whole)).toBe(piece.toString().repeat(50));
    expect(whole.buffer.byteLength).toBe(whole.length);
  });

  test("cut() removes the end, and later appends do not touch it", () => {
    const skeleton = new SpanSkeleton();
    skeleton.append(Buffer.from("keep cut"));
    const removed = skeleton.cut(4);
    skeleton.append(Buffer.from("XXXX"));
    expect([text(removed), text(skeleton.finish())]).toEqual([" cut", "keepXXXX"]);
  });

  test("view() shows the end in place", () => {
    const skeleton = new SpanSkeleton();
    skeleton.append(Buffer.from("abc"));
    expect(text(skeleton.view(1))).toBe("bc");
  });
});
