/** The protocol between two processes over a real socket. */
import { afterAll, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { WorkerUnavailableError } from "../../src/errors.ts";
import { HandlerFailedError } from "../../src/ipc/channel-client.ts";
import { type ChannelHandler, ChannelServer } from "../../src/ipc/channel-server.ts";
import { encodeEnvelope } from "../../src/ipc/envelope.ts";
import { LaneCutError } from "../../src/ipc/lane-receiver.ts";
import { mintLaneToken } from "../../src/ipc/lane-token.ts";
import { MalformedReplyError, OperationClient } from "../../src/ipc/operation-client.ts";
import { encodeReply } from "../../src/ipc/operation-message.ts";
import { listenUnixSocket } from "../../src/ipc/unix-socket.ts";
import { inlineReplyBytesMax } from "../../src/limits.ts";
import { configureLog } from "../../src/log.ts";
import type { Operation, Reply } from "../../src/operation.ts";
import type { StreamBody } from "../../src/stream-body.ts";
import { startFixtureWorker } from "../fixtures-lifecycle/fixture-worker.ts";
import { countPattern, patternBytes } from "../fixtures-lifecycle/pattern.ts";
import { socketsRoot } from "../harness/machine.ts";

configureLog("test", "silent");

const directory = mkdtempSync(join(socketsRoot, "operation-client-"));
afterAll(() => rmSync(directory, { recursive: true }));
const freshPath = () => join(directory, `${crypto.randomUUID().slice(0, 8)}.sock`);

const noBody = new Uint8Array(0);
const mebibyte = 1024 * 1024;

function behave(path: string): Operation {
  return { kind: "proxy", sessionId: "s", method: "POST", path, query: "", headers: [] };
}

function streamOf(reply: Reply): StreamBody {
  if (reply.body instanceof Uint8Array) throw new Error("a stream was expected");
  return reply.body;
}

async function twoProcesses() {
  const path = freshPath();
  const worker = await startFixtureWorker(path);
  const client = await OperationClient.connect(path);
  return {
    worker,
    client,
    async [Symbol.asyncDispose]() {
      client.close();
      worker.kill("SIGKILL");
      await worker.exited;
    },
  };
}

describe("between two processes", () => {
  test("64 MiB go both ways while small requests pass them", async () => {
    await using pair = await twoProcesses();
    const body = patternBytes(64 * mebibyte);
    let isBack = false;
    const large = pair.client.ask(behave("echo"), body).finally(() => {
      isBack = true;
    });
    let passed = 0;
    while (!isBack) {
      await pair.client.ask({ kind: "health" }, noBody);
      passed++;
    }
    expect(Buffer.compare((await large).body as Uint8Array, body)).toBe(0);
    expect(passed).toBeGreaterThan(10);
  });

  test("a stream of 200 MiB arrives whole, several at once", async () => {
    await using pair = await twoProcesses();
    const replies = await Promise.all(
      [200, 20, 5].map((size) => pair.client.ask(behave(`stream/${size * mebibyte}`), noBody)),
    );
    const counts = await Promise.all(replies.map((reply) => countPattern(streamOf(reply).chunks)));
    expect(counts).toEqual([200 * mebibyte, 20 * mebibyte, 5 * mebibyte]);
  });

  test("a worker that is killed cuts its lanes and fails what waits", async () => {
    await using pair = await twoProcesses();
    const waiting = pair.client.ask(behave("sleep/60000"), noBody).catch((error: unknown) => error);
    const stream = streamOf(await pair.client.ask(behave(`stream/${1024 * mebibyte}`), noBody));
    const slices = stream.chunks[Symbol.asyncIterator]();
    await slices.next();
    pair.worker.kill("SIGKILL");
    const readToTheEnd = async () => {
      while ((await slices.next()).done !== true);
    };
    await expect(readToTheEnd()).rejects.toBeInstanceOf(LaneCutError);
    expect(await waiting).toBeInstanceOf(WorkerUnavailableError);
    expect(pair.client.up).toBe(false);
    await expect(pair.client.ask(behave("echo"), noBody)).rejects.toBeInstanceOf(
      WorkerUnavailableError,
    );
    // Also what would need a connection of its own.
    await expect(
      pair.client.ask(behave("echo"), new Uint8Array(2 * mebibyte)),
    ).rejects.toBeInstanceOf(WorkerUnavailableError);
  });

  test("a consumer that leaves lets the worker's source go", async () => {
    await using pair = await twoProcesses();
    const stream = streamOf(await pair.client.ask(behave(`stream/${1024 * mebibyte}`), noBody));
    for await (const _ of stream.chunks) break;
    let released = 0;
    // The worker notices in its own time; each question is a round trip to it.
    while (released === 0) {
      const { body } = await pair.client.ask(behave("state"), noBody);
      released = JSON.parse(new TextDecoder().decode(body as Uint8Array)).released;
    }
    expect(released).toBe(1);
  });

  test("a handler that raises fails its request alone", async () => {
    await using pair = await twoProcesses();
    await expect(pair.client.ask(behave("raise/it"), noBody)).rejects.toEqual(
      new HandlerFailedError("raised it"),
    );
    expect((await pair.client.ask(behave("state"), noBody)).status).toBe(200);
  });
});

test("a large request goes over a channel of its own, which is closed after the reply", async () => {
  const path = freshPath();
  const used: ChannelServer[] = [];
  const closed = Promise.withResolvers<ChannelServer>();
  const reply = encodeReply(
    { status: 200, headers: [], body: "bytes", byteLength: 0, lane: null },
    [],
  );
  const handler: ChannelHandler = {
    async answer(_, channel) {
      used.push(channel);
      return reply;
    },
    claimLane: () => null,
    channelClosed: (channel) => closed.resolve(channel),
    channelIdle() {},
  };
  const listener = listenUnixSocket(path, (stream) => new ChannelServer(stream, handler));
  const client = await OperationClient.connect(path);
  for (const size of [0, inlineReplyBytesMax, inlineReplyBytesMax + 1, 1]) {
    await client.ask({ kind: "health" }, new Uint8Array(size));
  }
  const [shared, alsoShared, own, sharedAgain] = used;
  expect(alsoShared).toBe(shared as ChannelServer);
  expect(sharedAgain).toBe(shared as ChannelServer);
  expect(own).not.toBe(shared as ChannelServer);
  expect(await closed.promise).toBe(own as ChannelServer);
  expect(client.up).toBe(true);
  client.close();
  listener.stop();
});

describe("a malformed reply", () => {
  const meta = { status: 200, headers: [], body: "bytes", byteLength: 0, lane: null };
  const cases: Record<string, Uint8Array[]> = {
    "without envelope": [],
    "without status": encodeEnvelope({ ...meta, status: null }, []),
    "with a lane that is no token": encodeEnvelope({ ...meta, lane: "x" }, []),
  };
  for (const [what, payload] of Object.entries(cases)) {
    test(`${what} fails its request alone`, async () => {
      const path = freshPath();
      const listener = listenUnixSocket(
        path,
        (stream) =>
          new ChannelServer(stream, {
            answer: async () => payload,
            claimLane: () => null,
            channelClosed() {},
            channelIdle() {},
          }),
      );
      const client = await OperationClient.connect(path);
      await expect(client.ask({ kind: "health" }, noBody)).rejects.toBeInstanceOf(
        MalformedReplyError,
      );
      expect(client.up).toBe(true);
      client.close();
      listener.stop();
    });
  }
});

for (const sent of [2, 4]) {
  test(`a lane of ${sent} bytes where 3 were announced is a malformed reply`, async () => {
    const path = freshPath();
    async function* chunks() {
      yield new Uint8Array(sent);
    }
    const handler: ChannelHandler = {
      answer: async () =>
        encodeReply(
          { status: 200, headers: [], body: "bytes", byteLength: 3, lane: mintLaneToken() },
          [],
        ),
      claimLane: () => ({ byteLength: 3, chunks: chunks() }),
      channelClosed() {},
      channelIdle() {},
    };
    const listener = listenUnixSocket(path, (stream) => new ChannelServer(stream, handler));
    const client = await OperationClient.connect(path);
    await expect(client.ask({ kind: "health" }, noBody)).rejects.toBeInstanceOf(
      MalformedReplyError,
    );
    client.close();
    listener.stop();
  });
}

test("connect rejects when nobody listens", async () => {
  await expect(OperationClient.connect(freshPath())).rejects.toMatchObject({ code: "ENOENT" });
});
