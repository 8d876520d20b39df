import { describe, expect, test } from "bun:test";
import { beginningOfRefusal } from "../../src/core/refusal-beginning.ts";
import { UpstreamError } from "../../src/errors.ts";
import { refusalCharactersLogged } from "../../src/limits.ts";
import { readBody } from "../../src/stream-body.ts";
import type { UpstreamReply } from "../../src/upstream/upstream-client.ts";

/** A body of these chunks that knows what was taken of it. */
class Source implements AsyncIterableIterator<Uint8Array> {
  readonly #chunks: (string | Error)[];
  taken = 0;
  isReleased = false;

  constructor(chunks: readonly (string | Error)[]) {
    this.#chunks = [...chunks];
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  async next(): Promise<IteratorResult<Uint8Array>> {
    const chunk = this.#chunks.shift();
    if (chunk === undefined) return { done: true, value: undefined };
    if (chunk instanceof Error) throw chunk;
    this.taken += 1;
    return { done: false, value: Buffer.from(chunk) };
  }

  async return(): Promise<IteratorResult<Uint8Array>> {
    this.isReleased = true;
    return { done: true, value: undefined };
  }
}

function begin(body: Source, status = 404) {
  const reply: UpstreamReply = { status, headers: [["x", "1"]], contentLength: null, body };
  return beginningOfRefusal(reply);
}

const long = "x".repeat(refusalCharactersLogged);

describe("beginningOfRefusal()", () => {
  test.each([
    [200, long, long],
    [201, `${long}y`, `${long}…`],
  ])("quotes of %d characters refusalCharactersLogged at most", async (_, text, quoted) => {
    expect(long).toHaveLength(refusalCharactersLogged);
    const { beginning, reply } = await begin(new Source([text]));
    expect(beginning).toBe(quoted);
    expect(Buffer.from(await readBody(reply.body)).toString()).toBe(text);
  });

  test.each([
    [[" Not ", "Found\n"], "Not Found"],
    [["a\u0085b\u007fc"], "a\\u0085b\\u007fc"],
    [["a\nb"], "a\nb"],
    [[], "the backend says nothing of it"],
  ])("of %j", async (chunks, quoted) => {
    const { beginning, reply } = await begin(new Source(chunks));
    expect(beginning).toBe(quoted);
    expect([reply.status, reply.headers]).toEqual([404, [["x", "1"]]]);
    expect(Buffer.from(await readBody(reply.body)).toString()).toBe(chunks.join(""));
  });

  test("reads no further than it quotes", async () => {
    const source = new Source(Array.from({ length: 10 }, () => long));
    const { reply } = await begin(source);
    expect(source.taken).toBe(2);
    expect((await readBody(reply.body)).byteLength).toBe(10 * refusalCharactersLogged);
  });

  test("leaves what is no refusal as it is", async () => {
    const source = new Source(["a"]);
    const { beginning, reply } = await begin(source, 204);
    expect([beginning, source.taken]).toEqual([null, 0]);
    expect(reply.body).toBe(source);
  });

  test("hands on that nobody reads any more", async () => {
    const source = new Source([long, long, long]);
    const { reply } = await begin(source);
    await reply.body[Symbol.asyncIterator]().return?.();
    expect(source.isReleased).toBe(true);
  });

  test("rejects for a body that breaks off at once", async () => {
    const broken = new UpstreamError("backend transport error: x");
    expect(begin(new Source(["a", broken]))).rejects.toBe(broken);
  });
});
