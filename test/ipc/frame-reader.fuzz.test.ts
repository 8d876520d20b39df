import { describe, expect, test } from "bun:test";
import {
  byteLengthOf,
  encodeFrameHead,
  type Frame,
  FrameError,
  type FrameType,
} from "../../src/ipc/frame.ts";
import { FrameReader } from "../../src/ipc/frame-reader.ts";
import { frameBytesMax } from "../../src/limits.ts";
import { type Random, randomFrom, seedOf } from "../harness/random.ts";
import { concat } from "./fake-byte-stream.ts";

const rounds = 300;

function randomBytes(random: Random, count: number): Uint8Array {
  return Uint8Array.from({ length: count }, () => random.integer(0, 255));
}

function randomFrames(random: Random): Frame[] {
  return Array.from({ length: random.integer(0, 12) }, () => ({
    requestId: random.pick([0, 1, 2 ** 32 - 1, 2 ** 40 + 7, Number.MAX_SAFE_INTEGER]),
    type: random.pick<FrameType>([1, 2, 3, 4]),
    payload: [randomBytes(random, random.pick([0, 1, 8, 17, random.integer(0, 3_000)]))],
  }));
}

function wire(frames: readonly Frame[]): Uint8Array {
  return concat(
    frames.flatMap((frame) => [
      encodeFrameHead(frame.requestId, frame.type, byteLengthOf(frame.payload)),
      ...frame.payload,
    ]),
  );
}

function* randomChunks(random: Random, bytes: Uint8Array): Generator<Uint8Array> {
  const longest = random.pick([1, 3, 20, 500, 100_000]);
  for (let start = 0; start < bytes.byteLength; ) {
    const end = start + random.integer(1, longest);
    yield bytes.subarray(start, end);
    start = end;
  }
}

/** All frames in comparable form, until the end of the bytes or a FrameError. */
function readAll(chunks: Iterable<Uint8Array>): { frames: Frame[]; failed: boolean } {
  const reader = new FrameReader();
  const frames: Frame[] = [];
  try {
    for (const chunk of chunks) frames.push(...reader.push(chunk));
  } catch (error) {
    if (!(error instanceof FrameError)) throw error;
    // Once broken it stays broken, whatever comes.
    expect(() => reader.push(new Uint8Array(17))).toThrow(FrameError);
    return { frames, failed: true };
  }
  return { frames, failed: false };
}

function comparable(frames: readonly Frame[]) {
  return frames.map(({ requestId, type, payload }) => ({
    requestId,
    type,
    payload: concat(payload).toHex(),
  }));
}

describe("FrameReader", () => {
  test("gives back what was written, however it is cut into chunks", () => {
    const random = randomFrom(seedOf("FrameReader chunking"));
    for (let round = 0; round < rounds; round++) {
      const frames = randomFrames(random);
      const read = readAll(randomChunks(random, wire(frames)));
      expect(read.failed).toBe(false);
      expect(comparable(read.frames)).toEqual(comparable(frames));
    }
  });

  test("keeps payloads as slices of the chunks that were pushed", () => {
    const chunk = wire([{ requestId: 1, type: 1, payload: [new Uint8Array(100)] }]);
    const [frame] = new FrameReader().push(chunk);
    expect(frame?.payload.map((slice) => slice.buffer)).toEqual([chunk.buffer]);
    expect(frame?.payload[0]?.byteOffset).toBe(17);
  });

  test("a flipped bit never crashes it, and what it reads does not depend on the chunks", () => {
    const random = randomFrom(seedOf("FrameReader bit flips"));
    for (let round = 0; round < rounds; round++) {
      const frames = randomFrames(random);
      const bytes = wire(frames);
      if (bytes.byteLength === 0) continue;
      const position = random.integer(0, bytes.byteLength - 1);
      bytes[position] = (bytes[position] ?? 0) ^ (1 << random.integer(0, 7));
      const atOnce = readAll([bytes]);
      const inChunks = readAll(randomChunks(random, bytes));
      expect(inChunks.failed).toBe(atOnce.failed);
      // At once, a failure takes the frames before it in the same chunk with it.
      if (!atOnce.failed) expect(comparable(inChunks.frames)).toEqual(comparable(atOnce.frames));
      // Frames before the flip are untouched.
      const whole = frames.filter(
        (_, index) => wire(frames.slice(0, index + 1)).length <= position,
      );
      expect(comparable(readAll(oneByteChunks(bytes)).frames).slice(0, whole.length)).toEqual(
        comparable(whole),
      );
    }
  });

  test("reports a garbage length with its last byte, before waiting for a frame", () => {
    for (const length of [0, 8, frameBytesMax + 1, 2 ** 63]) {
      const field = new Uint8Array(8);
      new DataView(field.buffer).setBigUint64(0, BigInt(length));
      const reader = new FrameReader();
      reader.push(field.subarray(0, 7));
      expect(() => reader.push(field.subarray(7))).toThrow(FrameError);
    }
  });
});

function* oneByteChunks(bytes: Uint8Array): Generator<Uint8Array> {
  for (let index = 0; index < bytes.byteLength; index++) yield bytes.subarray(index, index + 1);
}
