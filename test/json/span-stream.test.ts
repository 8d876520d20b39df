import { describe, expect, test } from "bun:test";
import { SpanSyntaxError } from "../../src/json/span-error.ts";
import { SpanStream } from "../../src/json/span-stream.ts";
import { CollectingSink } from "./span-scan.ts";

describe("SpanStream", () => {
  test("sends each byte once, to the skeleton or to the sink", () => {
    const sink = new CollectingSink();
    const stream = new SpanStream(sink);
    stream.start(Buffer.from("abCD"));
    stream.passTo(2);
    stream.beginPayload(3, "indexer_topk");
    stream.endChunk();
    stream.start(Buffer.from("Eef"));
    expect(stream.endPayload(1)).toBe(3);
    expect(stream.skeletonOffset(2)).toBe(3);
    stream.endChunk();
    expect(Buffer.from(stream.skeleton.finish()).toString()).toBe("abef");
    expect(sink.payloads).toEqual([
      { choiceIndex: 3, name: "indexer_topk", value: Buffer.from("CDE") },
    ]);
  });

  test("returns what the sink vouches for, and hands it the chunk's own memory", () => {
    const chunk = Buffer.from("payload");
    const written: Uint8Array[] = [];
    const stream = new SpanStream({
      begin() {},
      write(bytes) {
        written.push(bytes);
        return 5;
      },
      end() {},
    });
    stream.start(chunk);
    expect(stream.passTo(0)).toBe(0);
    stream.beginPayload(0, "routed_experts");
    expect(stream.passTo(7)).toBe(5);
    expect(stream.passTo(7)).toBe(0);
    expect(written.map((bytes) => bytes.buffer)).toEqual([chunk.buffer]);
  });

  test("counts bytes over all chunks when it fails", () => {
    const stream = new SpanStream(new CollectingSink());
    stream.start(Buffer.from("12345"));
    stream.endChunk();
    stream.start(Buffer.from("678"));
    expect(() => stream.fail(2, "a digit")).toThrow(new SpanSyntaxError(7, "a digit"));
  });
});
