import { describe, expect, test } from "bun:test";
import { passThrough } from "../../src/core/pass-through.ts";
import { UpstreamError } from "../../src/errors.ts";
import { inlineReplyBytesMax } from "../../src/limits.ts";

const cut = new UpstreamError("backend transport error: ECONNRESET: cut");

function upstreamReply(contentLength: number | null, ...parts: (string | Error)[]) {
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      const part = parts.shift();
      if (part === undefined) controller.close();
      else if (part instanceof Error) controller.error(part);
      else controller.enqueue(Buffer.from(part));
    },
  });
  return { status: 201, headers: [["x-a", "1"]] as [string, string][], contentLength, body };
}

describe("passThrough()", () => {
  test("reads a small body of known length first", async () => {
    const reply = await passThrough(upstreamReply(4, "ab", "cd"));
    expect(reply.status).toBe(201);
    expect(reply.headers).toEqual([["x-a", "1"]]);
    expect(Buffer.from(reply.body as Uint8Array).toString()).toBe("abcd");
  });

  test("rejects when a small body breaks off", async () => {
    await expect(passThrough(upstreamReply(4, "ab", cut))).rejects.toBe(cut);
  });

  test.each([null, inlineReplyBytesMax + 1])("streams a body of length %p", async (length) => {
    const { body } = await passThrough(upstreamReply(length, "ab", "cd"));
    if (body instanceof Uint8Array) throw new Error("was read first");
    expect(body.byteLength).toBe(length);
    const chunks: string[] = [];
    for await (const chunk of body.chunks) chunks.push(Buffer.from(chunk).toString());
    expect(chunks).toEqual(["ab", "cd"]);
  });

  test("lets go of the backend's body when nobody reads it", async () => {
    const reply = upstreamReply(null, "ab");
    const { body } = await passThrough(reply);
    if (body instanceof Uint8Array) throw new Error("was read first");
    await body.chunks[Symbol.asyncIterator]().return?.();
    expect((await reply.body.getReader().read()).done).toBe(true);
  });

  test("passes a break of a streamed body on to the reader", async () => {
    const { body } = await passThrough(upstreamReply(null, "ab", cut));
    if (body instanceof Uint8Array) throw new Error("was read first");
    const read = async () => {
      for await (const _ of body.chunks) {
        // Only the end counts.
      }
    };
    await expect(read()).rejects.toBe(cut);
  });
});
