import { describe, expect, test } from "bun:test";
import { ChannelClient, HandlerFailedError } from "../../src/ipc/channel-client.ts";
import { type ChannelHandler, ChannelServer } from "../../src/ipc/channel-server.ts";
import { encodeFrameHead, frameTypes } from "../../src/ipc/frame.ts";
import { LaneReceiver } from "../../src/ipc/lane-receiver.ts";
import { mintLaneToken } from "../../src/ipc/lane-token.ts";
import { frameBytesMax } from "../../src/limits.ts";
import { configureLog } from "../../src/log.ts";
import { randomFrom, seedOf } from "../harness/random.ts";
import { concat, connectInMemory, FakeByteStream } from "./fake-byte-stream.ts";

configureLog("test", "silent");

const text = (slices: readonly Uint8Array[]) => new TextDecoder().decode(concat(slices));
const payload = (value: string) => [new TextEncoder().encode(value)];

function handlerOf(partial: Partial<ChannelHandler>): ChannelHandler {
  return {
    answer: async (slices) => [...slices],
    claimLane: () => null,
    channelClosed() {},
    channelIdle() {},
    ...partial,
  };
}

function connect(partial: Partial<ChannelHandler>, chunkBytes?: () => number) {
  const { a, b } = connectInMemory(
    (stream) => new ChannelClient(stream),
    (stream) => new ChannelServer(stream, handlerOf(partial)),
    chunkBytes,
  );
  return { client: a, server: b };
}

describe("requests", () => {
  test("are answered when ready, not in their order", async () => {
    const slow = Promise.withResolvers<Uint8Array[]>();
    const { client } = connect({
      answer: async (slices) => (text(slices) === "slow" ? slow.promise : [...slices]),
    });
    const waiting = client.request(payload("slow"));
    expect(text(await client.request(payload("fast")))).toBe("fast");
    slow.resolve(payload("at last"));
    expect(text(await waiting)).toBe("at last");
  });

  test("many at once survive any chunking of the stream", async () => {
    const random = randomFrom(seedOf("channel chunking"));
    const { client } = connect({}, () => random.pick([1, 7, 100, 5_000, 70_000]));
    const bodies = Array.from({ length: 60 }, (_, index) =>
      new Uint8Array(random.pick([0, 1, 500, 20_000])).fill(index),
    );
    const replies = await Promise.all(bodies.map((body) => client.request([body])));
    expect(replies.map((slices) => concat(slices))).toEqual(bodies);
  });

  test("a handler that raises is answered by its message; the channel lives on", async () => {
    const { client } = connect({
      answer: async (slices) => {
        if (text(slices) === "bad") throw new Error("cannot do");
        return [...slices];
      },
    });
    await expect(client.request(payload("bad"))).rejects.toEqual(
      new HandlerFailedError("cannot do"),
    );
    expect(text(await client.request(payload("good")))).toBe("good");
  });

  test("a reply that is too large fails its request alone", async () => {
    const huge = { byteLength: frameBytesMax } as Uint8Array;
    const { client } = connect({
      answer: async (slices) => (text(slices) === "huge" ? [huge] : [...slices]),
    });
    await expect(client.request(payload("huge"))).rejects.toBeInstanceOf(HandlerFailedError);
    expect(text(await client.request(payload("good")))).toBe("good");
  });

  test("a handler runs to its end when the asker has left", async () => {
    const work = Promise.withResolvers<Uint8Array[]>();
    const closed = Promise.withResolvers<void>();
    const idle = Promise.withResolvers<void>();
    const { client, server } = connect({
      answer: () => work.promise,
      channelClosed: () => closed.resolve(),
      channelIdle: () => idle.resolve(),
    });
    const answer = client.request(payload("a")).catch((error: unknown) => error);
    // One turn of the memory stream: the request has arrived.
    await new Promise((resolve) => setImmediate(resolve));
    client.close();
    await closed.promise;
    expect([server.open, server.inFlight]).toEqual([false, 1]);
    work.resolve([]);
    await idle.promise;
    expect(server.inFlight).toBe(0);
    expect(await answer).toBeInstanceOf(Error);
  });
});

describe("garbage from the peer closes the connection", () => {
  const head = (type: 2 | 3 | 4) => encodeFrameHead(1, type, 0);
  const cases: Record<string, Uint8Array> = {
    "a garbage length": new Uint8Array(8).fill(255),
    "a frame that only a server sends": head(frameTypes.reply),
    "a lane that was not offered": head(frameTypes.lane),
  };
  for (const [what, bytes] of Object.entries(cases)) {
    test(what, () => {
      const stream = new FakeByteStream();
      new ChannelServer(stream, handlerOf({})).received(bytes);
      expect(stream.isClosed).toBe(true);
    });
  }

  test("a frame after a lane was opened", () => {
    const stream = new FakeByteStream();
    const chunks = { [Symbol.asyncIterator]: () => ({ next: () => new Promise<never>(() => {}) }) };
    const body = { byteLength: null, chunks };
    const server = new ChannelServer(stream, handlerOf({ claimLane: () => body }));
    server.received(head(frameTypes.lane));
    expect(stream.isClosed).toBe(false);
    server.received(encodeFrameHead(1, frameTypes.request, 0));
    expect(stream.isClosed).toBe(true);
  });
});

describe("a lane", () => {
  test("carries the body of its token and ends the connection", async () => {
    const token = mintLaneToken();
    async function* chunks() {
      yield Uint8Array.of(1, 2);
      yield Uint8Array.of(3);
    }
    const claimed: string[] = [];
    const closed = Promise.withResolvers<void>();
    const { a } = connectInMemory(
      (stream) => new LaneReceiver(stream, token),
      (stream) =>
        new ChannelServer(
          stream,
          handlerOf({
            claimLane(found) {
              claimed.push(found);
              return { byteLength: null, chunks: chunks() };
            },
            channelClosed: () => closed.resolve(),
          }),
        ),
    );
    const slices: Uint8Array[] = [];
    for await (const slice of a) slices.push(slice);
    expect(concat(slices)).toEqual(Uint8Array.of(1, 2, 3));
    expect(claimed).toEqual([token]);
    await closed.promise;
  });
});
