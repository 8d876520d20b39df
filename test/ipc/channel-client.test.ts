import { describe, expect, test } from "bun:test";
import { WorkerUnavailableError } from "../../src/errors.ts";
import { ChannelClient, HandlerFailedError } from "../../src/ipc/channel-client.ts";
import {
  encodeFrameHead,
  FrameTooLargeError,
  type FrameType,
  frameTypes,
} from "../../src/ipc/frame.ts";
import { FrameReader } from "../../src/ipc/frame-reader.ts";
import { frameBytesMax } from "../../src/limits.ts";
import { concat, FakeByteStream } from "./fake-byte-stream.ts";

const text = (slices: readonly Uint8Array[]) => new TextDecoder().decode(concat(slices));
const payload = (value: string) => [new TextEncoder().encode(value)];

function openChannel() {
  const stream = new FakeByteStream();
  const channel = new ChannelClient(stream);
  const reply = (requestId: number, value: string, type: FrameType = frameTypes.reply) => {
    const [body] = payload(value);
    const bytes = body ?? new Uint8Array(0);
    channel.received(concat([encodeFrameHead(requestId, type, bytes.byteLength), bytes]));
  };
  return { stream, channel, reply };
}

describe("request", () => {
  test("sends requests under ids of their own and matches replies in any order", async () => {
    const { stream, channel, reply } = openChannel();
    const answers = ["a", "b", "c"].map((value) => channel.request(payload(value)));
    await new Promise((resolve) => setImmediate(resolve));
    const sent = new FrameReader().push(stream.written);
    expect(sent.map((frame) => [frame.requestId, frame.type, text(frame.payload)])).toEqual([
      [1, frameTypes.request, "a"],
      [2, frameTypes.request, "b"],
      [3, frameTypes.request, "c"],
    ]);
    for (const requestId of [3, 1, 2]) reply(requestId, `to ${requestId}`);
    expect((await Promise.all(answers)).map(text)).toEqual(["to 1", "to 2", "to 3"]);
  });

  test("rejects with the message of an ERROR frame", async () => {
    const { channel, reply } = openChannel();
    const answer = channel.request(payload("a"));
    reply(1, "no such thing", frameTypes.error);
    await expect(answer).rejects.toEqual(new HandlerFailedError("no such thing"));
    expect(channel.up).toBe(true);
  });

  test("a second reply to a request is dropped, others are not", async () => {
    const { channel, reply } = openChannel();
    const once = channel.request(payload("a"));
    const other = channel.request(payload("b"));
    reply(1, "first");
    reply(1, "second");
    reply(2, "in time");
    expect([text(await once), text(await other)]).toEqual(["first", "in time"]);
    expect(channel.up).toBe(true);
  });

  test("a request that is too large fails alone", async () => {
    const { channel, reply } = openChannel();
    const huge = { byteLength: frameBytesMax } as Uint8Array;
    await expect(channel.request([huge])).rejects.toBeInstanceOf(FrameTooLargeError);
    const next = channel.request(payload("a"));
    reply(2, "fine");
    expect(text(await next)).toBe("fine");
  });
});

describe("a channel goes down", () => {
  const causes: Record<string, (opened: ReturnType<typeof openChannel>) => void> = {
    "when its stream closes": ({ channel }) => channel.closed(null),
    "on a garbage length": ({ channel }) => channel.received(new Uint8Array(8).fill(255)),
    "on a reply to a request never made": ({ reply }) => reply(99, ""),
    "on a reply to request 0": ({ reply }) => reply(0, ""),
    "on a frame that only a client sends": ({ reply }) => reply(1, "", frameTypes.request),
    "when it is closed": ({ channel }) => channel.close(),
  };
  for (const [cause, bringDown] of Object.entries(causes)) {
    test(`${cause}: all that waits is rejected, and all that comes`, async () => {
      const opened = openChannel();
      const pending = [opened.channel.request(payload("a")), opened.channel.request(payload("b"))];
      bringDown(opened);
      for (const answer of await Promise.allSettled(pending)) {
        expect(answer.status === "rejected" && answer.reason).toBeInstanceOf(
          WorkerUnavailableError,
        );
      }
      expect(opened.channel.up).toBe(false);
      expect(opened.stream.isClosed).toBe(true);
      expect(await opened.channel.down).toContain("channel");
      await expect(opened.channel.request([])).rejects.toBeInstanceOf(WorkerUnavailableError);
      // What arrives afterwards is nobody's.
      opened.reply(1, "late");
    });
  }
});
