import { describe, expect, test } from "bun:test";
import { backendReadAheadBytes } from "../../../src/limits.ts";
import { ResponseBody } from "../../../src/upstream/http1/response-body.ts";

function start() {
  const calls: string[] = [];
  const body = new ResponseBody({
    pause: () => void calls.push("pause"),
    resume: () => void calls.push("resume"),
    cancel: () => void calls.push("cancel"),
  });
  return { body, calls };
}

const chunk = (text: string): Uint8Array => Buffer.from(text);
const half = new Uint8Array(backendReadAheadBytes / 2);

async function readAll(body: ResponseBody): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const piece of body) chunks.push(piece);
  return Buffer.concat(chunks).toString();
}

describe("ResponseBody", () => {
  test("gives the chunks in order, those before a reader came and those after", async () => {
    const { body, calls } = start();
    body.push(chunk("a"));
    body.push(chunk("b"));
    const reading = readAll(body);
    await Promise.resolve();
    body.push(chunk("c"));
    body.end();
    expect(await reading).toBe("abc");
    expect(await body.next()).toEqual({ done: true, value: undefined });
    expect(calls).toEqual([]);
  });

  test("gives a waiting reader the very chunk", async () => {
    const { body } = start();
    const next = body.next();
    const sent = chunk("a");
    body.push(sent);
    expect((await next).value).toBe(sent);
  });

  test("stops the connection when enough waits, until all of that is taken", async () => {
    const { body, calls } = start();
    body.push(half);
    expect(calls).toEqual([]);
    body.push(half);
    body.push(half);
    expect(calls).toEqual(["pause"]);
    await body.next();
    await body.next();
    expect(calls).toEqual(["pause"]);
    await body.next();
    expect(calls).toEqual(["pause", "resume"]);
  });

  test("reads on below backendReadAheadBytes, and stops there", () => {
    const { body, calls } = start();
    body.push(new Uint8Array(backendReadAheadBytes - 1));
    expect(calls).toEqual([]);
    body.push(new Uint8Array(1));
    expect(calls).toEqual(["pause"]);
  });

  test("lets a stopped connection go on when the body ends: it may carry another", async () => {
    const { body, calls } = start();
    body.push(half);
    body.push(half);
    body.end();
    expect(calls).toEqual(["pause", "resume"]);
    await body.next();
    await body.next();
    expect(calls).toEqual(["pause", "resume"]);
    expect((await body.next()).done).toBe(true);
  });

  test("fails behind the chunks that came before, once", async () => {
    const { body } = start();
    body.push(chunk("a"));
    body.fail(new Error("cut"));
    expect((await body.next()).value).toEqual(chunk("a"));
    await expect(body.next()).rejects.toThrow("cut");
    expect((await body.next()).done).toBe(true);
  });

  test("fails a reader that waits", async () => {
    const { body } = start();
    const next = body.next();
    body.fail(new Error("cut"));
    await expect(next).rejects.toThrow("cut");
  });

  test("is cancelled by a reader that leaves, and takes no more", async () => {
    const { body, calls } = start();
    body.push(chunk("a"));
    for await (const _ of body) break;
    expect(calls).toEqual(["cancel"]);
    body.push(chunk("b"));
    body.end();
    expect((await body.next()).done).toBe(true);
    await body.return();
    expect(calls).toEqual(["cancel"]);
  });

  test("is cancelled before it is read, and ends a reader that waits", async () => {
    const { body, calls } = start();
    const next = body.next();
    await body[Symbol.asyncIterator]().return?.();
    expect((await next).done).toBe(true);
    expect(calls).toEqual(["cancel"]);
  });

  test("has nothing to cancel once it has ended or failed", async () => {
    for (const finish of [
      (body: ResponseBody) => body.end(),
      (body: ResponseBody) => body.fail(new Error("cut")),
    ]) {
      const { body, calls } = start();
      body.push(chunk("a"));
      finish(body);
      await body.return();
      expect([calls, (await body.next()).done]).toEqual([[], true]);
    }
  });

  test("holds a million tiny chunks without moving them about", async () => {
    const { body } = start();
    const tiny = half.subarray(0, 1);
    for (let count = 0; count < 1_000_000; count += 1) body.push(tiny);
    body.end();
    let count = 0;
    // Moving the rest for each chunk would be hundreds of times as much: the test would hang.
    for await (const _ of body) count += 1;
    expect(count).toBe(1_000_000);
  });
});
