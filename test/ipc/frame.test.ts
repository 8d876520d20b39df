import { describe, expect, test } from "bun:test";
import { AssertionError } from "../../src/assert.ts";
import {
  byteLengthOf,
  encodeFrameHead,
  FrameTooLargeError,
  frameTypes,
  isFrameType,
  readU64,
  writeU64,
} from "../../src/ipc/frame.ts";
import { frameBytesMax } from "../../src/limits.ts";

describe("encodeFrameHead", () => {
  test("takes the largest frame and refuses one byte more", () => {
    const payloadBytesMax = frameBytesMax - 9;
    expect(encodeFrameHead(1, frameTypes.request, payloadBytesMax).byteLength).toBe(17);
    expect(() => encodeFrameHead(1, frameTypes.request, payloadBytesMax + 1)).toThrow(
      FrameTooLargeError,
    );
  });

  test("asserts that request ids are integers a double holds", () => {
    for (const requestId of [-1, 1.5, 2 ** 53]) {
      expect(() => encodeFrameHead(requestId, frameTypes.request, 0)).toThrow(AssertionError);
    }
  });
});

describe("u64", () => {
  test("is read as it was written, up to 2^53 - 1", () => {
    const bytes = new Uint8Array(12);
    for (const value of [0, 1, 255, 2 ** 32 - 1, 2 ** 32, 2 ** 36, Number.MAX_SAFE_INTEGER]) {
      writeU64(bytes, 4, value);
      expect(new DataView(bytes.buffer).getBigUint64(4)).toBe(BigInt(value));
      expect(readU64(bytes, 4)).toBe(value);
    }
  });
});

test("isFrameType knows the four types and nothing else", () => {
  expect([0, 1, 2, 3, 4, 5, 255].filter(isFrameType)).toEqual([1, 2, 3, 4]);
});

test("byteLengthOf adds slices up", () => {
  expect(byteLengthOf([])).toBe(0);
  expect(byteLengthOf([new Uint8Array(3), new Uint8Array(0), new Uint8Array(4)])).toBe(7);
});
