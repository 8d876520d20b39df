import { describe, expect, test } from "bun:test";
import { ByteWriter } from "../../src/ipc/byte-writer.ts";
import { randomFrom, seedOf } from "../harness/random.ts";
import { concat, FakeByteStream } from "./fake-byte-stream.ts";

const tick = () => new Promise<void>((resolve) => setImmediate(resolve));
const filled = (byteLength: number, value: number) => new Uint8Array(byteLength).fill(value);

function writerOn(room = Number.POSITIVE_INFINITY) {
  const stream = new FakeByteStream();
  stream.room = room;
  return { stream, writer: new ByteWriter(stream) };
}

describe("write", () => {
  test("gathers the small slices of one turn of the event loop into one write", async () => {
    const { stream, writer } = writerOn();
    for (let value = 0; value < 100; value++) {
      writer.write([filled(10, value), filled(5, value)]);
      await Promise.resolve();
    }
    expect(stream.writes).toHaveLength(0);
    await tick();
    expect(stream.writes).toHaveLength(1);
    expect(stream.written.byteLength).toBe(1_500);
  });

  test("never copies a large slice, and keeps the order around it", async () => {
    const offered: Uint8Array[] = [];
    const { stream, writer } = writerOn();
    const takes = stream.write.bind(stream);
    stream.write = (bytes) => {
      offered.push(bytes);
      return takes(bytes);
    };
    const large = filled(65_536, 3);
    writer.write([filled(1, 1), filled(1, 2), large, filled(1, 4)]);
    await tick();
    expect(offered.map((bytes) => bytes.byteLength)).toEqual([2, 65_536, 1]);
    expect(offered[1]).toBe(large);
    expect(stream.written.subarray(-2)).toEqual(Uint8Array.of(3, 4));
  });

  test("stops at a short write and goes on only when the stream has room", async () => {
    const { stream, writer } = writerOn(7);
    writer.write([filled(10, 1)]);
    await tick();
    writer.write([filled(10, 2)]);
    await tick();
    expect(stream.writes).toHaveLength(1);
    stream.room = 100;
    writer.drained();
    expect(stream.written).toEqual(concat([filled(10, 1), filled(10, 2)]));
  });

  test("waits no longer once a whole write is there", async () => {
    const { stream, writer } = writerOn();
    const slice = filled(50_000, 1);
    writer.write([slice, slice]);
    expect(stream.writes).toHaveLength(0);
    writer.write([slice]);
    expect(stream.written.byteLength).toBe(150_000);
    expect(await writer.idle()).toBe(true);
  });

  test("a short write of gathered slices keeps what was not taken from later writers", async () => {
    const { stream, writer } = writerOn(7);
    const other = writerOn();
    writer.write([filled(5, 1), filled(5, 2), filled(5, 3)]);
    writer.flush();
    other.writer.write([filled(40, 8), filled(40, 9)]);
    other.writer.flush();
    stream.room = 100;
    writer.drained();
    expect(stream.written).toEqual(concat([filled(5, 1), filled(5, 2), filled(5, 3)]));
  });

  test("queues nothing once the stream is closed", async () => {
    const { stream, writer } = writerOn();
    stream.close();
    writer.write([filled(10, 1)]);
    await tick();
    expect(writer.closed).toBe(true);
    writer.write([filled(10, 2)]);
    expect(await writer.idle()).toBe(false);
    expect(stream.writes).toHaveLength(0);
  });

  test("delivers any bytes in order through any sequence of rooms", async () => {
    const random = randomFrom(seedOf("ByteWriter"));
    for (let round = 0; round < 100; round++) {
      const { stream, writer } = writerOn(0);
      const sent: Uint8Array[] = [];
      for (let step = 0; step < 40; step++) {
        const slice = filled(random.pick([0, 1, 20, 40_000, 65_535, 65_536, 200_000]), step);
        sent.push(slice);
        writer.write([slice]);
        if (random.chance(0.5)) await tick();
        stream.room = random.pick([0, 1, 1_000, 40_000, 100_000]);
        writer.drained();
      }
      stream.room = Number.POSITIVE_INFINITY;
      writer.drained();
      await tick();
      expect(Buffer.compare(stream.written, concat(sent))).toBe(0);
    }
  });
});

describe("flush", () => {
  test("offers at once what is queued, and nothing to a stream that is full", async () => {
    const { stream, writer } = writerOn(3);
    writer.flush();
    writer.write([filled(2, 1), filled(3, 2)]);
    writer.flush();
    expect(stream.written).toEqual(Uint8Array.of(1, 1, 2));
    stream.room = 100;
    writer.flush();
    await tick();
    expect(stream.writes).toHaveLength(1);
    writer.drained();
    expect(stream.written).toEqual(Uint8Array.of(1, 1, 2, 2, 2));
  });
});

describe("idle", () => {
  test("resolves true at once when nothing waits", async () => {
    expect(await writerOn().writer.idle()).toBe(true);
  });

  test("resolves true when the last byte was taken, not before", async () => {
    const { stream, writer } = writerOn(1);
    writer.write([filled(3, 1)]);
    const settled: boolean[] = [];
    const waiting = writer.idle().then((idle) => settled.push(idle));
    await tick();
    stream.room = 1;
    writer.drained();
    await tick();
    expect(settled).toEqual([]);
    stream.room = 1;
    writer.drained();
    await waiting;
    expect(settled).toEqual([true]);
  });

  test("resolves false when the stream closes first", async () => {
    const { writer } = writerOn(0);
    writer.write([filled(3, 1)]);
    const waiting = writer.idle();
    writer.close();
    expect(await waiting).toBe(false);
  });
});
