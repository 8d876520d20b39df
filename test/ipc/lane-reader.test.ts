import { describe, expect, test } from "bun:test";
import { FrameError } from "../../src/ipc/frame.ts";
import { LaneReader } from "../../src/ipc/lane-reader.ts";
import { frameBytesMax } from "../../src/limits.ts";
import { randomFrom, seedOf } from "../harness/random.ts";
import { concat } from "./fake-byte-stream.ts";

function field(length: number | bigint): Uint8Array {
  const bytes = new Uint8Array(8);
  new DataView(bytes.buffer).setBigUint64(0, BigInt(length));
  return bytes;
}

describe("push", () => {
  test("gives the body back, however it is cut, and is complete exactly at the end mark", () => {
    const random = randomFrom(seedOf("LaneReader"));
    for (let round = 0; round < 200; round++) {
      const chunks = Array.from({ length: random.integer(0, 8) }, (_, index) =>
        new Uint8Array(random.integer(1, 400)).fill(index),
      );
      const wire = concat([
        ...chunks.flatMap((chunk) => [field(chunk.byteLength), chunk]),
        field(0),
      ]);
      const reader = new LaneReader();
      const slices: Uint8Array[] = [];
      for (let start = 0; start < wire.byteLength; ) {
        expect(reader.complete).toBe(false);
        const end = start + random.integer(1, 60);
        slices.push(...reader.push(wire.subarray(start, end)));
        start = end;
      }
      expect(reader.complete).toBe(true);
      expect(concat(slices)).toEqual(concat(chunks));
    }
  });

  test("copies nothing", () => {
    const chunk = concat([field(3), Uint8Array.of(1, 2, 3)]);
    expect(new LaneReader().push(chunk)[0]?.buffer).toBe(chunk.buffer);
  });

  test("refuses a garbage length and bytes after the end", () => {
    expect(() => new LaneReader().push(field(frameBytesMax + 1))).toThrow(FrameError);
    expect(() => new LaneReader().push(field(2n ** 64n - 1n))).toThrow(FrameError);
    expect(() => new LaneReader().push(concat([field(0), Uint8Array.of(1)]))).toThrow(FrameError);
  });
});
