/**
 * Broken IPC on real Unix sockets, from either end: a worker that gets garbage keeps its other
 * channels, a router that gets garbage fails what waits on that channel and nothing else.
 */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { concatBytes } from "../../src/bytes.ts";
import { WorkerUnavailableError } from "../../src/errors.ts";
import { HandlerFailedError } from "../../src/ipc/channel-client.ts";
import { byteLengthOf, encodeFrameHead, frameTypes } from "../../src/ipc/frame.ts";
import { MalformedReplyError, OperationClient } from "../../src/ipc/operation-client.ts";
import { encodeReply, encodeRequest, type ReplyMeta } from "../../src/ipc/operation-message.ts";
import { OperationServer } from "../../src/ipc/operation-server.ts";
import { SocketDirectory } from "../../src/lifecycle/socket-directory.ts";
import { configureLog } from "../../src/log.ts";
import { jsonReply, type Operation } from "../../src/operation.ts";
import { mutated } from "../harness/mutation.ts";
import { type Random, randomFrom, seedOf } from "../harness/random.ts";
import { hangMs } from "../harness/time-limit.ts";

configureLog("test", "silent");

const workerCases = 10_000;
const routerCases = 10_000;

let sockets: SocketDirectory;
beforeAll(async () => {
  sockets = await SocketDirectory.create();
});
afterAll(() => sockets.remove());

const operations: readonly Operation[] = [
  { kind: "get_session", sessionId: "s" },
  { kind: "create_session", sessionId: "s" },
  { kind: "chat_completions", sessionId: "s", method: "POST", query: "", headers: [["a", "b"]] },
  { kind: "proxy", sessionId: "s", method: "GET", path: "x", query: "", headers: [] },
];
const body = Buffer.from("body of a request");
const lengths = ["\0\0\0\0\0\0\0\0", "\xff\xff\xff\xff\xff\xff\xff\xff", "\0\0\0\x10\0\0\0\x01"];

function frame(requestId: number, type: 1 | 2 | 3 | 4, payload: readonly Uint8Array[]): Uint8Array {
  const head = encodeFrameHead(requestId, type, byteLengthOf(payload));
  const parts = [head, ...payload];
  return concatBytes(parts, byteLengthOf(parts));
}

/** Good frames in a wrong order, or with something broken in them. */
function brokenFrames(random: Random, frames: readonly Uint8Array[]): Uint8Array {
  const order = Array.from({ length: random.integer(1, 5) }, () => random.pick(frames));
  const bytes = concatBytes(order, byteLengthOf(order));
  return random.chance(0.85) ? mutated(random, bytes, lengths) : bytes;
}

/** Writes all of it in pieces cut anywhere. */
function writeInPieces(random: Random, socket: Bun.Socket<unknown>, bytes: Uint8Array): void {
  for (let start = 0; start < bytes.byteLength; ) {
    const end = Math.min(bytes.byteLength, start + random.pick([1, 7, 17, 100, 10_000]));
    socket.write(bytes.subarray(start, end));
    start = end;
  }
}

describe("hostile IPC", () => {
  test(
    `${workerCases} connections with broken requests: the worker's other channels do not notice`,
    async () => {
      const random = randomFrom(seedOf("hostile IPC requests"));
      const path = sockets.workerSocketPath(0);
      const server = new OperationServer(path, {
        async handle(operation, received) {
          return jsonReply(200, { kind: operation.kind, bytes: received.byteLength });
        },
      });
      const healthy = await OperationClient.connect(path);
      const requests = operations.map((operation, index) =>
        frame(index + 1, frameTypes.request, encodeRequest(operation, body)),
      );
      const lane = frame(0, frameTypes.lane, [new Uint8Array(16)]);
      let closedByWorker = 0;

      for (let count = 0; count < workerCases; count++) {
        const closed = Promise.withResolvers<void>();
        let ours = false;
        const socket = await Bun.connect({
          unix: path,
          socket: {
            data() {},
            close: () => {
              if (!ours) closedByWorker++;
              closed.resolve();
            },
          },
        });
        writeInPieces(random, socket, brokenFrames(random, [...requests, lane]));
        const operation = random.pick(operations);
        const reply = await healthy.ask(operation, body);
        expect(JSON.parse(Buffer.from(reply.body as Uint8Array).toString())).toEqual({
          kind: operation.kind,
          bytes: body.byteLength,
        });
        ours = true;
        socket.end();
        await closed.promise;
      }
      expect(healthy.up).toBe(true);
      expect(server.lanesOffered).toBe(0);
      console.log(`hostile IPC requests: ${workerCases} tried, ${closedByWorker} closed at once`);
      healthy.close();
      await server.stop(0);
    },
    hangMs,
  );

  test(
    `${routerCases} broken replies: the asker gets a reply or one of the documented failures`,
    async () => {
      const random = randomFrom(seedOf("hostile IPC replies"));
      const path = sockets.workerSocketPath(1);
      const meta: ReplyMeta = {
        status: 200,
        headers: [],
        body: "bytes",
        byteLength: 5,
        lane: null,
      };
      const laneMeta: ReplyMeta = {
        ...meta,
        byteLength: null,
        body: "stream",
        lane: "0".repeat(32),
      };
      const replies = [
        frame(1, frameTypes.reply, encodeReply(meta, [Buffer.from("hello")])),
        frame(1, frameTypes.error, [Buffer.from("raised")]),
        frame(7, frameTypes.reply, encodeReply(meta, [Buffer.from("other")])),
        frame(1, frameTypes.reply, encodeReply(laneMeta, [])),
      ];
      const listener = Bun.listen({
        unix: path,
        socket: {
          data(socket) {
            writeInPieces(random, socket, brokenFrames(random, replies));
            // What is still missing will not come.
            socket.end();
          },
        },
      });
      const outcomes = new Map<string, number>();
      for (let count = 0; count < routerCases; count++) {
        const client = await OperationClient.connect(path);
        const outcome = await client.ask(random.pick(operations), body).then(
          async (reply) => {
            if (!(reply.body instanceof Uint8Array)) await drain(reply.body.chunks);
            return "reply";
          },
          (error: unknown) => {
            const known = [WorkerUnavailableError, HandlerFailedError, MalformedReplyError];
            if (known.some((kind) => error instanceof kind))
              return (error as Error).constructor.name;
            throw error;
          },
        );
        outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
        client.close();
      }
      listener.stop(true);
      const counts = [...outcomes].sort().map(([name, count]) => `${count} x ${name}`);
      console.log(`hostile IPC replies: ${routerCases} tried, ${counts.join(", ")}`);
      expect(outcomes.size).toBeGreaterThanOrEqual(3);
    },
    hangMs,
  );
});

/** Reads a body to its end or to where it was cut. */
async function drain(chunks: AsyncIterable<Uint8Array>): Promise<void> {
  try {
    for await (const _ of chunks);
  } catch (error) {
    expect((error as Error).name).toBe("LaneCutError");
  }
}
