import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { toResponse } from "../../src/http/response.ts";

function countingBody() {
  let released = 0;
  const chunks = {
    [Symbol.asyncIterator]: () => ({
      next: async () => ({ done: false as const, value: new Uint8Array(1) }),
      return: async () => {
        released += 1;
        return { done: true as const, value: undefined };
      },
    }),
  };
  return { body: { byteLength: null, chunks }, released: () => released };
}

describe("toResponse()", () => {
  test("keeps headers that stand more than once", () => {
    const response = toResponse({
      status: 200,
      headers: [
        ["set-cookie", "a=1"],
        ["set-cookie", "b=2"],
      ],
      body: new Uint8Array(0),
    });
    expect(response.headers.getSetCookie()).toEqual(["a=1", "b=2"]);
  });

  test.each([204, 205, 304])("gives %d no body and releases what was there", (status) => {
    const counting = countingBody();
    const response = toResponse({ status, headers: [], body: counting.body });
    expect(response.body).toBeNull();
    expect(counting.released()).toBe(1);
  });

  test("releases a stream that the reader cancels", async () => {
    const counting = countingBody();
    const response = toResponse({ status: 200, headers: [], body: counting.body });
    await response.body?.cancel();
    expect(counting.released()).toBe(1);
  });
});

test("toResponse() passes a break of its stream on, and tells the log", async () => {
  const script = `
    import { toResponse } from ${JSON.stringify(join(import.meta.dir, "../../src/http/response.ts"))};
    async function* chunks() { yield Buffer.from("part"); throw new Error("cut"); }
    const body = { byteLength: null, chunks: chunks() };
    const reader = toResponse({ status: 200, headers: [], body }).body.getReader();
    try { for (;;) await reader.read(); } catch (error) { console.log("rejects", error.message); }
  `;
  const child = Bun.spawn([process.execPath, "-e", script], { stdout: "pipe", stderr: "pipe" });
  const [stdout, stderr] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ]);
  expect(stdout).toBe("rejects cut\n");
  expect(stderr).toMatch(/WARN .*a reply broke off reason=cut/);
});

test("toResponse() says nothing of a client that leaves while a stream has nothing for it", async () => {
  const script = `
    import { toResponse } from ${JSON.stringify(join(import.meta.dir, "../../src/http/response.ts"))};
    for (const end of ["resolve", "reject"]) {
      const slice = Promise.withResolvers();
      const asked = Promise.withResolvers();
      const chunks = {
        [Symbol.asyncIterator]: () => ({
          next: () => (asked.resolve(), slice.promise),
          return: async () => ({ done: true, value: undefined }),
        }),
      };
      const body = toResponse({ status: 200, headers: [], body: { byteLength: null, chunks } }).body;
      const reader = body.getReader();
      const waiting = reader.read();
      await asked.promise;
      await reader.cancel();
      slice[end](end === "resolve" ? { done: true, value: undefined } : new Error("cut"));
      console.log((await waiting).done);
    }
  `;
  const child = Bun.spawn([process.execPath, "-e", script], { stdout: "pipe", stderr: "pipe" });
  const [stdout, stderr] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ]);
  expect([stdout, stderr]).toEqual(["true\ntrue\n", ""]);
});
