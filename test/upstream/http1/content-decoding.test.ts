import { describe, expect, test } from "bun:test";
import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from "node:zlib";
import { UpstreamError } from "../../../src/errors.ts";
import { contentCoding, decodedBody } from "../../../src/upstream/http1/content-decoding.ts";

const text = Buffer.from("all the same and all the same ".repeat(10_000));

/** A body in pieces that tells whether it was cancelled. */
function bodyOf(bytes: Uint8Array, { pieceBytes = 100, failure = null as Error | null } = {}) {
  let offset = 0;
  const state = { isCancelled: false, takenBytes: 0 };
  const iterator: AsyncIterator<Uint8Array> & AsyncIterable<Uint8Array> = {
    [Symbol.asyncIterator]: () => iterator,
    async next() {
      const piece = bytes.subarray(offset, offset + pieceBytes);
      offset += piece.length;
      state.takenBytes = offset;
      if (piece.length > 0) return { done: false, value: piece };
      if (failure !== null) throw failure;
      return { done: true, value: undefined };
    },
    async return() {
      state.isCancelled = true;
      return { done: true, value: undefined };
    },
  };
  return { body: iterator as AsyncIterable<Uint8Array>, state };
}

async function read(body: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of body) chunks.push(chunk);
  return Buffer.concat(chunks);
}

describe("contentCoding()", () => {
  test("is what the headers say, in small letters; identity is none", () => {
    expect(contentCoding([["content-encoding", "GZIP"]])).toBe("gzip");
    expect(contentCoding([["content-encoding", "identity"]])).toBeNull();
    expect(contentCoding([["content-encoding", ""]])).toBeNull();
    expect(contentCoding([["content-encoding", "br, gzip"]])).toBe("br, gzip");
    expect(contentCoding([])).toBeNull();
  });
});

describe("decodedBody()", () => {
  test.each([
    ["gzip", gzipSync],
    ["x-gzip", gzipSync],
    ["deflate", deflateSync],
    ["br", brotliCompressSync],
    ["zstd", zstdCompressSync],
  ])("inflates %s, cut anywhere", async (coding, compress) => {
    for (const pieceBytes of [1, 100, 1_000_000]) {
      const { body } = bodyOf(compress(text), { pieceBytes });
      expect((await read(decodedBody(coding, body))).equals(text)).toBe(true);
    }
  });

  test.each(["compress", "gzip, gzip"])("refuses %s and cancels the body", (coding) => {
    const { body, state } = bodyOf(text);
    expect(() => decodedBody(coding, body)).toThrow(UpstreamError);
    expect(() => decodedBody(coding, body)).toThrow(
      `backend transport error: content coding "${coding}"; expected none, or one of gzip`,
    );
    expect(state.isCancelled).toBe(true);
  });

  test("reports bytes that do not inflate, and an end too early", async () => {
    await expect(read(decodedBody("gzip", bodyOf(text).body))).rejects.toThrow(
      /^backend transport error: Z_DATA_ERROR: /,
    );
    const cut = gzipSync(text).subarray(0, 50);
    await expect(read(decodedBody("gzip", bodyOf(cut).body))).rejects.toThrow(UpstreamError);
  });

  test("passes the failure of the body on", async () => {
    const failure = new UpstreamError("backend transport error: x");
    const { body } = bodyOf(gzipSync(text).subarray(0, 50), { failure });
    await expect(read(decodedBody("gzip", body))).rejects.toBe(failure);
  });

  test("cancels the body when its reader leaves, also before it read", async () => {
    for (const isStarted of [false, true]) {
      // Does not compress: more than the stream reads ahead.
      const bytes = crypto.getRandomValues(new Uint8Array(60_000));
      const compressed = gzipSync(Buffer.concat(Array.from({ length: 20 }, () => bytes)));
      const { body, state } = bodyOf(compressed);
      const iterator = decodedBody("gzip", body)[Symbol.asyncIterator]();
      if (isStarted) await iterator.next();
      await iterator.return?.();
      while (!state.isCancelled) await Bun.sleep(1);
      expect(state.takenBytes).toBeLessThan(compressed.length);
    }
  });
});
