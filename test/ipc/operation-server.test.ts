/** The protocol over real sockets, both ends in one process; two processes: operation-client. */
import { afterAll, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { HandlerFailedError } from "../../src/ipc/channel-client.ts";
import type { ChannelServer } from "../../src/ipc/channel-server.ts";
import { LaneCutError } from "../../src/ipc/lane-receiver.ts";
import { OperationClient } from "../../src/ipc/operation-client.ts";
import { encodeRequest } from "../../src/ipc/operation-message.ts";
import { OperationServer } from "../../src/ipc/operation-server.ts";
import { inlineReplyBytesMax } from "../../src/limits.ts";
import { configureLog } from "../../src/log.ts";
import type { Operation, OperationHandler, Reply } from "../../src/operation.ts";
import type { StreamBody } from "../../src/stream-body.ts";
import { socketsRoot } from "../harness/machine.ts";
import { concat } from "./fake-byte-stream.ts";

configureLog("test", "silent");

const directory = mkdtempSync(join(socketsRoot, "operation-server-"));
afterAll(() => rmSync(directory, { recursive: true }));

const health: Operation = { kind: "health" };
const noBody = new Uint8Array(0);

async function serve(handle: OperationHandler["handle"]) {
  const path = join(directory, `${crypto.randomUUID().slice(0, 8)}.sock`);
  const server = new OperationServer(path, { handle });
  const client = await OperationClient.connect(path);
  return {
    server,
    client,
    async [Symbol.asyncDispose]() {
      client.close();
      await server.stop(0);
    },
  };
}

function reply(body: Uint8Array | StreamBody): Reply {
  return { status: 200, headers: [], body };
}

/** A stream of `count` chunks that tells when it was let go. */
function watchedStream(count: number, chunkBytes: number, byteLength: number | null = null) {
  const released = Promise.withResolvers<number>();
  async function* chunks() {
    let given = 0;
    try {
      for (; given < count; given++) yield new Uint8Array(chunkBytes).fill(given);
    } finally {
      released.resolve(given);
    }
  }
  const body: StreamBody = { byteLength, chunks: chunks() };
  return { body, released: released.promise };
}

/** A stream that never gives its first chunk, and tells what is asked of it. */
function silentStream() {
  const asked = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  const iterator: AsyncIterator<Uint8Array> = {
    next() {
      asked.resolve();
      return new Promise(() => {});
    },
    async return() {
      released.resolve();
      return { done: true, value: undefined };
    },
  };
  const body: StreamBody = { byteLength: null, chunks: { [Symbol.asyncIterator]: () => iterator } };
  return { body, asked: asked.promise, released: released.promise };
}

async function collect(body: Uint8Array | StreamBody): Promise<Uint8Array> {
  if (body instanceof Uint8Array) throw new Error("a stream was expected");
  const slices: Uint8Array[] = [];
  for await (const slice of body.chunks) slices.push(slice);
  return concat(slices);
}

describe("a reply arrives as the kind it was returned", () => {
  test("bytes as bytes, on both sides of the inline limit", async () => {
    const bodies = [0, 1, inlineReplyBytesMax, inlineReplyBytesMax + 1, 5_000_000].map((length) =>
      new Uint8Array(length).fill(length & 255),
    );
    await using served = await serve(async (_, body) => reply(bodies[body[0] ?? 0] ?? noBody));
    for (const [index, expected] of bodies.entries()) {
      const { body } = await served.client.ask(health, Uint8Array.of(index));
      expect(body).toBeInstanceOf(Uint8Array);
      expect(Buffer.compare(body as Uint8Array, expected)).toBe(0);
    }
  });

  test("a stream as a stream: of unknown length, short of known length, long", async () => {
    const shapes = [
      { count: 3, byteLength: null },
      { count: 3, byteLength: 3_000 },
      { count: 2_000, byteLength: 2_000_000 },
      { count: 0, byteLength: null },
      { count: 0, byteLength: 0 },
    ];
    await using served = await serve(async (_, body) => {
      const shape = shapes[body[0] ?? 0];
      return reply(watchedStream(shape?.count ?? 0, 1_000, shape?.byteLength).body);
    });
    for (const [index, { count, byteLength }] of shapes.entries()) {
      const { body } = await served.client.ask(health, Uint8Array.of(index));
      expect((body as StreamBody).byteLength).toBe(byteLength);
      const bytes = await collect(body);
      expect(bytes.byteLength).toBe(count * 1_000);
      expect(bytes.every((value, at) => value === (Math.floor(at / 1_000) & 255))).toBe(true);
    }
  });

  test("status and headers as they were, duplicates and order kept", async () => {
    const headers: Reply["headers"] = [
      ["set-cookie", "a=1"],
      ["x-b", "ü"],
      ["set-cookie", "c=2"],
    ];
    await using served = await serve(async () => ({ status: 418, headers, body: noBody }));
    expect(await served.client.ask(health, noBody)).toEqual({ status: 418, headers, body: noBody });
  });
});

describe("lanes", () => {
  test("a stalled consumer holds the source back, and other requests pass it", async () => {
    let given = 0;
    async function* chunks() {
      for (; given < 100; given++) yield new Uint8Array(1_000_000);
    }
    await using served = await serve(async (operation) =>
      operation.kind === "health" ? reply(noBody) : reply({ byteLength: null, chunks: chunks() }),
    );
    const dump = await served.client.ask({ kind: "get_session", sessionId: "s" }, noBody);
    for (let count = 0; count < 200; count++) await served.client.ask(health, noBody);
    // 1 MiB read ahead, one chunk in the writer, and what the kernel's buffers take.
    expect(given).toBeLessThan(8);
    expect((await collect(dump.body)).byteLength).toBe(100_000_000);
  });

  test("a consumer that leaves lets the source go: in the middle, and before it began", async () => {
    const streams = [watchedStream(1_000, 100_000), watchedStream(1_000, 100_000)];
    await using served = await serve(async (_, body) => {
      const stream = streams[body[0] ?? 0];
      if (stream === undefined) throw new Error("no such stream");
      return reply(stream.body);
    });
    const first = (await served.client.ask(health, Uint8Array.of(0))).body as StreamBody;
    for await (const _ of first.chunks) break;
    expect(await streams[0]?.released).toBeLessThan(100);
    const second = (await served.client.ask(health, Uint8Array.of(1))).body as StreamBody;
    await second.chunks[Symbol.asyncIterator]().return?.();
    expect(await streams[1]?.released).toBeLessThan(100);
  });

  test("a source that fails in the middle is a failure, not an end", async () => {
    async function* chunks() {
      yield new Uint8Array(10);
      throw new Error("disk on fire");
    }
    await using served = await serve(async () => reply({ byteLength: null, chunks: chunks() }));
    const { body } = await served.client.ask(health, noBody);
    await expect(collect(body)).rejects.toBeInstanceOf(LaneCutError);
  });

  test("a short stream of known length that is not as long fails its request", async () => {
    await using served = await serve(async () => reply(watchedStream(1, 5, 6).body));
    await expect(served.client.ask(health, noBody)).rejects.toBeInstanceOf(HandlerFailedError);
  });

  test("a consumer that leaves lets go of a source that works on its next chunk", async () => {
    const source = silentStream();
    await using served = await serve(async () => reply(source.body));
    const { chunks } = (await served.client.ask(health, noBody)).body as StreamBody;
    const waiting = chunks[Symbol.asyncIterator]();
    const next = waiting.next();
    await source.asked;
    await waiting.return?.();
    expect((await next).done).toBe(true);
    await source.released;
  });

  test("an offer that nobody took goes with the channel that announced it", async () => {
    const source = silentStream();
    await using served = await serve(async () => reply(source.body));
    const announcer = { open: true } as ChannelServer;
    const channel = { open: true } as ChannelServer;
    await served.server.answer(encodeRequest(health, noBody), announcer);
    expect(served.server.lanesOffered).toBe(1);
    served.server.channelClosed(channel);
    expect(served.server.lanesOffered).toBe(1);
    served.server.channelClosed(announcer);
    await source.released;
    expect(served.server.lanesOffered).toBe(0);
  });

  test("a reply whose asker has left lets its source go", async () => {
    const source = silentStream();
    await using served = await serve(async () => reply(source.body));
    const gone = { open: false } as ChannelServer;
    expect(await served.server.answer(encodeRequest(health, noBody), gone)).toEqual([]);
    await source.released;
    expect(served.server.lanesOffered).toBe(0);
  });
});

describe("stop", () => {
  test("waits for what is in flight, then closes", async () => {
    const work = Promise.withResolvers<void>();
    const arrived = Promise.withResolvers<void>();
    await using served = await serve(async () => {
      arrived.resolve();
      await work.promise;
      return reply(Uint8Array.of(7));
    });
    const asked = served.client.ask(health, noBody);
    await arrived.promise;
    const stopped = served.server.stop(10_000);
    work.resolve();
    expect((await asked).body).toEqual(Uint8Array.of(7));
    await stopped;
    await served.client.down;
  });

  test("does not wait longer than its grace, nor for work whose asker has left", async () => {
    const arrived = Promise.withResolvers<void>();
    await using patient = await serve(() => {
      arrived.resolve();
      return new Promise(() => {});
    });
    const asked = patient.client.ask(health, noBody).catch((error: unknown) => error);
    await arrived.promise;
    const stopped = patient.server.stop(60_000);
    patient.client.close();
    await stopped;
    expect(await asked).toBeInstanceOf(Error);

    await using impatient = await serve(() => new Promise(() => {}));
    const cut = impatient.client.ask(health, noBody).catch((error: unknown) => error);
    await impatient.server.stop(1);
    expect(await cut).toBeInstanceOf(Error);
  });
});

test("an operation that cannot be read is answered by an ERROR", async () => {
  await using served = await serve(async () => reply(noBody));
  const unknown = { kind: "unknown" } as unknown as Operation;
  await expect(served.client.ask(unknown, noBody)).rejects.toBeInstanceOf(HandlerFailedError);
  expect((await served.client.ask(health, noBody)).status).toBe(200);
});
