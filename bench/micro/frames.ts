/**
 * The frame reader and writer of the IPC channel: small frames coalesced, a large one in chunks.
 */
import type { ByteStream } from "../../src/ipc/byte-stream.ts";
import { ByteWriter } from "../../src/ipc/byte-writer.ts";
import { encodeFrameHead, frameTypes } from "../../src/ipc/frame.ts";
import { FrameReader } from "../../src/ipc/frame-reader.ts";
import { FrameWriter } from "../../src/ipc/frame-writer.ts";
import type { MicroBenchmark } from "./micro-benchmark.ts";

const payloadBytes = 512;
/** Bytes of one chunk of a Unix socket: its default send buffer. */
const socketChunkBytes = 219_264;

export const frameReader: MicroBenchmark = {
  name: "frame reader",
  operation: "one chunk of frames with 512 bytes of payload",
  prepare(size) {
    const count = size === "smoke" ? 4 : Math.floor(socketChunkBytes / (payloadBytes + 17));
    const frames = Array.from({ length: count }, (_, requestId) => [
      encodeFrameHead(requestId, frameTypes.request, payloadBytes),
      new Uint8Array(payloadBytes),
    ]);
    const chunk = Buffer.concat(frames.flat());
    const reader = new FrameReader();
    return {
      bytes: chunk.length,
      run() {
        if (reader.push(chunk).length !== count) throw new Error("frames were lost");
      },
    };
  },
};

export const frameWriter: MicroBenchmark = {
  name: "frame writer",
  operation: "frames with 512 bytes of payload, sent in one tick",
  prepare(size) {
    const count = size === "smoke" ? 4 : 64;
    const payload = new Uint8Array(payloadBytes);
    let taken = 0;
    const stream: ByteStream = {
      write: (bytes) => {
        taken += bytes.length;
        return bytes.length;
      },
      pause() {},
      resume() {},
      close() {},
    };
    const bytes = new ByteWriter(stream);
    const writer = new FrameWriter(bytes);
    const bytesPerRun = count * (payloadBytes + 17);
    return {
      bytes: bytesPerRun,
      async run() {
        taken = 0;
        for (let id = 0; id < count; id += 1) writer.send(id, frameTypes.reply, [payload]);
        await bytes.idle();
        if (taken !== bytesPerRun) throw new Error("frames were lost");
      },
    };
  },
};
