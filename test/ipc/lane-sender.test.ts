import { describe, expect, test } from "bun:test";
import { ByteWriter } from "../../src/ipc/byte-writer.ts";
import { LaneReader } from "../../src/ipc/lane-reader.ts";
import { LaneSender } from "../../src/ipc/lane-sender.ts";
import { configureLog } from "../../src/log.ts";
import { concat, FakeByteStream } from "./fake-byte-stream.ts";

configureLog("test", "silent");

/** A body that counts what is asked of it. */
function watchedBody(chunks: readonly Uint8Array[], failure?: Error) {
  const seen = { asked: 0, released: false };
  async function* source() {
    try {
      for (const chunk of chunks) {
        seen.asked++;
        yield chunk;
      }
      if (failure !== undefined) throw failure;
    } finally {
      seen.released = true;
    }
  }
  return { seen, chunks: source() };
}

function read(stream: FakeByteStream) {
  const reader = new LaneReader();
  return { body: concat(reader.push(stream.written)), complete: reader.complete };
}

describe("run", () => {
  test("sends the whole body and its end mark; empty chunks are no end", async () => {
    const stream = new FakeByteStream();
    const body = watchedBody([Uint8Array.of(1), new Uint8Array(0), Uint8Array.of(2, 3)]);
    expect(await new LaneSender(body.chunks, new ByteWriter(stream)).run()).toBe(true);
    expect(read(stream)).toEqual({ body: Uint8Array.of(1, 2, 3), complete: true });
    expect(body.seen.released).toBe(true);
  });

  test("asks for the next chunk only when the last one was taken", async () => {
    const stream = new FakeByteStream();
    stream.room = 8;
    const writer = new ByteWriter(stream);
    const body = watchedBody([Uint8Array.of(1), Uint8Array.of(2), Uint8Array.of(3)]);
    const sent = new LaneSender(body.chunks, writer).run();
    await Bun.sleep(0);
    expect(body.seen.asked).toBe(1);
    stream.room = 5;
    writer.drained();
    await Bun.sleep(0);
    expect(body.seen.asked).toBe(2);
    stream.room = Number.POSITIVE_INFINITY;
    writer.drained();
    expect(await sent).toBe(true);
  });

  test("a source that fails leaves a lane without end mark", async () => {
    const stream = new FakeByteStream();
    const body = watchedBody([Uint8Array.of(1)], new Error("disk on fire"));
    expect(await new LaneSender(body.chunks, new ByteWriter(stream)).run()).toBe(false);
    expect(read(stream)).toEqual({ body: Uint8Array.of(1), complete: false });
  });

  test("releases the source when the lane is gone", async () => {
    const stream = new FakeByteStream();
    stream.room = 0;
    const writer = new ByteWriter(stream);
    const body = watchedBody([Uint8Array.of(1), Uint8Array.of(2)]);
    const sent = new LaneSender(body.chunks, writer).run();
    await Bun.sleep(0);
    writer.close();
    expect(await sent).toBe(false);
    expect(body.seen).toEqual({ asked: 1, released: true });
  });
});

describe("release", () => {
  test("lets the source go while it works on its next chunk", async () => {
    const returned = Promise.withResolvers<void>();
    const source: AsyncIterableIterator<Uint8Array> = {
      next: () => new Promise(() => {}),
      return: async () => {
        returned.resolve();
        return { done: true, value: undefined };
      },
      [Symbol.asyncIterator]: () => source,
    };
    const lane = new LaneSender(source, new ByteWriter(new FakeByteStream()));
    void lane.run();
    lane.release();
    lane.release();
    await returned.promise;
  });
});
