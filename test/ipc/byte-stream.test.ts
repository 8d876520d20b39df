/**
 * One contract, every implementation: what the protocol relies on holds for Unix sockets and for the
 * memory streams that stand for them in other tests.
 */
import { afterAll, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { ByteStream, ByteStreamHandlers } from "../../src/ipc/byte-stream.ts";
import { connectUnixSocket, listenUnixSocket } from "../../src/ipc/unix-socket.ts";
import { socketsRoot } from "../harness/machine.ts";
import { concat, connectInMemory } from "./fake-byte-stream.ts";

/** Records what it is told; others wait for it. */
class Witness implements ByteStreamHandlers {
  readonly stream: ByteStream;
  readonly chunks: Uint8Array[] = [];
  closedCount = 0;
  drainedCount = 0;
  #changed = Promise.withResolvers<void>();

  constructor(stream: ByteStream) {
    this.stream = stream;
  }

  get receivedBytes(): number {
    return this.chunks.reduce((total, chunk) => total + chunk.byteLength, 0);
  }

  received(chunk: Uint8Array): void {
    this.chunks.push(chunk);
    this.#tell();
  }

  drained(): void {
    this.drainedCount++;
    this.#tell();
  }

  closed(): void {
    this.closedCount++;
    this.#tell();
  }

  async until(condition: () => boolean): Promise<void> {
    while (!condition()) await this.#changed.promise;
  }

  #tell(): void {
    this.#changed.resolve();
    this.#changed = Promise.withResolvers<void>();
  }
}

type Pair = { a: Witness; b: Witness };
const directory = mkdtempSync(join(socketsRoot, "byte-stream-"));
afterAll(() => rmSync(directory, { recursive: true }));

async function overUnixSocket(): Promise<Pair> {
  const accepted = Promise.withResolvers<Witness>();
  const path = join(directory, `${crypto.randomUUID().slice(0, 8)}.sock`);
  const listener = listenUnixSocket(path, (stream) => {
    const witness = new Witness(stream);
    accepted.resolve(witness);
    return witness;
  });
  const a = await connectUnixSocket(path, (stream) => new Witness(stream));
  const b = await accepted.promise;
  listener.stop();
  return { a, b };
}

async function inMemory(): Promise<Pair> {
  return connectInMemory(
    (stream) => new Witness(stream),
    (stream) => new Witness(stream),
  );
}

const megabytes = new Uint8Array(4_000_000).map((_, index) => index % 251);

/** Writes all of `bytes`, waiting for room as the contract says. */
async function writeAll(writer: Witness, bytes: Uint8Array): Promise<void> {
  for (let sent = 0; sent < bytes.byteLength; ) {
    const drainedBefore = writer.drainedCount;
    const taken = writer.stream.write(bytes.subarray(sent));
    if (taken < 0) throw new Error("closed");
    sent += taken;
    if (sent < bytes.byteLength) await writer.until(() => writer.drainedCount > drainedBefore);
  }
}

for (const [name, connect] of Object.entries({ "Unix socket": overUnixSocket, inMemory })) {
  describe(`ByteStream as ${name}`, () => {
    test("carries bytes both ways, in order, with a short write when it is full", async () => {
      const { a, b } = await connect();
      expect(a.stream.write(megabytes)).toBeLessThan(megabytes.byteLength);
      await b.until(() => b.receivedBytes > 0);
      const first = concat(b.chunks);
      expect(first).toEqual(megabytes.subarray(0, first.byteLength));
      await writeAll(b, megabytes);
      await a.until(() => a.receivedBytes === megabytes.byteLength);
      expect(Buffer.compare(concat(a.chunks), megabytes)).toBe(0);
      a.stream.close();
    });

    test("keeps received chunks as they were whatever comes later", async () => {
      const { a, b } = await connect();
      await writeAll(a, megabytes);
      await b.until(() => b.receivedBytes === megabytes.byteLength);
      expect(Buffer.compare(concat(b.chunks), megabytes)).toBe(0);
      a.stream.close();
    });

    test("delivers what was taken before close(), and tells both ends once", async () => {
      const { a, b } = await connect();
      const taken = a.stream.write(megabytes.subarray(0, 50_000));
      a.stream.close();
      a.stream.close();
      await Promise.all([a.until(() => a.closedCount > 0), b.until(() => b.closedCount > 0)]);
      expect(b.receivedBytes).toBe(taken);
      expect([a.closedCount, b.closedCount]).toEqual([1, 1]);
      expect(a.stream.write(Uint8Array.of(1))).toBe(-1);
      expect(b.stream.write(Uint8Array.of(1))).toBe(-1);
    });

    test("pause() stops the chunks and fills the writer up; resume() loses nothing", async () => {
      const { a, b } = await connect();
      b.stream.pause();
      let taken = 0;
      for (let count = -1; count !== 0; taken += count) {
        count = a.stream.write(megabytes.subarray(taken));
      }
      expect(taken).toBeLessThan(megabytes.byteLength);
      // What another connection delivers meanwhile shows that this one had its turn.
      const other = await connect();
      other.a.stream.write(Uint8Array.of(1));
      await other.b.until(() => other.b.receivedBytes === 1);
      other.a.stream.close();
      expect(b.receivedBytes).toBe(0);
      b.stream.resume();
      await writeAll(a, megabytes.subarray(taken));
      await b.until(() => b.receivedBytes === megabytes.byteLength);
      expect(Buffer.compare(concat(b.chunks), megabytes)).toBe(0);
      a.stream.close();
    });
  });
}
