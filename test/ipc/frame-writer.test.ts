import { describe, expect, test } from "bun:test";
import { ByteWriter } from "../../src/ipc/byte-writer.ts";
import { FrameTooLargeError, frameTypes } from "../../src/ipc/frame.ts";
import { FrameReader } from "../../src/ipc/frame-reader.ts";
import { FrameWriter } from "../../src/ipc/frame-writer.ts";
import { frameBytesMax } from "../../src/limits.ts";
import { concat, FakeByteStream } from "./fake-byte-stream.ts";

describe("send", () => {
  test("writes frames that the reader gives back, in order", async () => {
    const stream = new FakeByteStream();
    const frames = new FrameWriter(new ByteWriter(stream));
    frames.send(1, frameTypes.request, [Uint8Array.of(1), Uint8Array.of(2, 3)]);
    frames.send(2, frameTypes.error, []);
    await new Promise((resolve) => setImmediate(resolve));
    const read = new FrameReader().push(stream.written);
    expect(read.map(({ requestId, type }) => [requestId, type])).toEqual([
      [1, frameTypes.request],
      [2, frameTypes.error],
    ]);
    expect(concat(read[0]?.payload ?? [])).toEqual(Uint8Array.of(1, 2, 3));
  });

  test("refuses a frame that is too large before any byte of it is queued", async () => {
    const stream = new FakeByteStream();
    const frames = new FrameWriter(new ByteWriter(stream));
    // The slices claim a length that no memory could hold.
    const huge = { byteLength: frameBytesMax } as Uint8Array;
    expect(() => frames.send(1, frameTypes.reply, [huge])).toThrow(FrameTooLargeError);
    frames.send(2, frameTypes.reply, []);
    await new Promise((resolve) => setImmediate(resolve));
    expect(new FrameReader().push(stream.written).map((frame) => frame.requestId)).toEqual([2]);
  });
});
