import { describe, expect, test } from "bun:test";
import { frameTypes } from "../../src/ipc/frame.ts";
import { FrameReader } from "../../src/ipc/frame-reader.ts";
import { LaneCutError, LaneReceiver } from "../../src/ipc/lane-receiver.ts";
import { encodeLaneToken, mintLaneToken } from "../../src/ipc/lane-token.ts";
import { laneReadAheadBytes } from "../../src/limits.ts";
import { randomFrom, seedOf } from "../harness/random.ts";
import { concat, FakeByteStream } from "./fake-byte-stream.ts";

const token = mintLaneToken();

function openLane() {
  const stream = new FakeByteStream();
  return { stream, lane: new LaneReceiver(stream, token) };
}

function chunk(bytes: Uint8Array): Uint8Array {
  const field = new Uint8Array(8);
  new DataView(field.buffer).setBigUint64(0, BigInt(bytes.byteLength));
  return concat([field, bytes]);
}

const endMark = chunk(new Uint8Array(0));

describe("LaneReceiver", () => {
  test("claims its lane with one LANE frame and says nothing more", async () => {
    const { stream, lane } = openLane();
    // Sent already: a reader that leaves in this moment must not leave the body unclaimed.
    const [frame] = new FrameReader().push(stream.written);
    expect([frame?.type, frame?.requestId]).toEqual([frameTypes.lane, 0]);
    expect(concat(frame?.payload ?? [])).toEqual(encodeLaneToken(token));
    lane.received(endMark);
    await new Promise((resolve) => setImmediate(resolve));
    expect(stream.writes).toHaveLength(1);
  });

  test("gives the slices in order, then ends and closes", async () => {
    const { stream, lane } = openLane();
    lane.received(chunk(Uint8Array.of(1, 2)));
    lane.received(concat([chunk(Uint8Array.of(3)), endMark]));
    expect(stream.isClosed).toBe(true);
    const slices: Uint8Array[] = [];
    for await (const slice of lane) slices.push(slice);
    expect(concat(slices)).toEqual(Uint8Array.of(1, 2, 3));
  });

  test("keeps the order however arriving and reading alternate", async () => {
    const random = randomFrom(seedOf("LaneReceiver"));
    const { lane } = openLane();
    let arrived = 0;
    let read = 0;
    while (read < 200) {
      for (let count = random.pick([0, 1, 2, 5]); count > 0; count--) {
        lane.received(chunk(Uint8Array.of(arrived++ % 256)));
      }
      for (let count = random.pick([0, 1, 3, 8]); count > 0 && read < arrived; count--) {
        expect((await lane.next()).value).toEqual(Uint8Array.of(read++ % 256));
      }
    }
  });

  test("throws after the slices that arrived when the lane ends without its end mark", async () => {
    const { lane } = openLane();
    lane.received(chunk(Uint8Array.of(1, 2)));
    lane.closed(null);
    expect((await lane.next()).value).toEqual(Uint8Array.of(1, 2));
    await expect(lane.next()).rejects.toBeInstanceOf(LaneCutError);
  });

  test("wakes a consumer that waits: with a slice, an end or a cut", async () => {
    const waiting = (settle: (lane: LaneReceiver) => void) => {
      const { lane } = openLane();
      const next = lane.next();
      settle(lane);
      return next;
    };
    const slice = await waiting((lane) => lane.received(chunk(Uint8Array.of(9))));
    expect(slice.value).toEqual(Uint8Array.of(9));
    expect((await waiting((lane) => lane.received(endMark))).done).toBe(true);
    await expect(waiting((lane) => lane.closed(new Error("reset")))).rejects.toBeInstanceOf(
      LaneCutError,
    );
    expect((await waiting((lane) => void lane.return())).done).toBe(true);
  });

  test("pauses when it holds more than it reads ahead, resumes when half is gone", async () => {
    const { stream, lane } = openLane();
    const part = new Uint8Array(laneReadAheadBytes / 4);
    for (let count = 0; count < 4; count++) lane.received(chunk(part));
    expect(stream.paused).toBe(false);
    lane.received(chunk(part));
    expect(stream.paused).toBe(true);
    await lane.next();
    await lane.next();
    expect(stream.paused).toBe(true);
    await lane.next();
    expect(stream.paused).toBe(false);
  });

  test("return() closes and resumes a paused stream, and gives no slice any more", async () => {
    const { stream, lane } = openLane();
    lane.received(chunk(new Uint8Array(laneReadAheadBytes + 1)));
    expect(stream.paused).toBe(true);
    await lane.return();
    expect([stream.isClosed, stream.paused]).toEqual([true, false]);
    expect((await lane.next()).done).toBe(true);
  });

  test("garbage is a cut", async () => {
    const { stream, lane } = openLane();
    lane.received(new Uint8Array(8).fill(255));
    expect(stream.isClosed).toBe(true);
    await expect(lane.next()).rejects.toBeInstanceOf(LaneCutError);
  });
});
