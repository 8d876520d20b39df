import { describe, expect, test } from "bun:test";
import { readBody, releaseBody, releaseIterator, streamOf } from "../src/stream-body.ts";

async function* slices(...texts: string[]): AsyncGenerator<Uint8Array> {
  for (const text of texts) yield Buffer.from(text);
}

/** An iterator that never yields, and what became of it. */
function waiting() {
  let released = 0;
  const iterator = {
    next: () => new Promise<never>(() => {}),
    return: async () => {
      released += 1;
      return { done: true as const, value: undefined };
    },
  };
  return { iterator, released: () => released };
}

describe("streamOf()", () => {
  test("is a body of one slice, the same bytes", async () => {
    const bytes = Buffer.from("abc");
    const { byteLength, chunks } = streamOf(bytes);
    expect(byteLength).toBe(3);
    expect(await readBody(chunks)).toBe(bytes);
  });
});

describe("readBody()", () => {
  test("joins the slices", async () => {
    expect(Buffer.from(await readBody(slices("ab", "", "c"))).toString()).toBe("abc");
    expect(await readBody(slices())).toHaveLength(0);
  });

  test("rejects as the body does", async () => {
    async function* broken(): AsyncGenerator<Uint8Array> {
      yield Buffer.from("part");
      throw new Error("cut");
    }
    await expect(readBody(broken())).rejects.toThrow("cut");
  });
});

describe("releaseBody()", () => {
  test("releases a body that was never started", () => {
    const { iterator, released } = waiting();
    releaseBody({ byteLength: null, chunks: { [Symbol.asyncIterator]: () => iterator } });
    expect(released()).toBe(1);
  });

  test("takes bytes, and a body without return()", () => {
    const { next } = waiting().iterator;
    releaseBody(new Uint8Array(1));
    releaseBody({ byteLength: null, chunks: { [Symbol.asyncIterator]: () => ({ next }) } });
  });
});

describe("releaseIterator()", () => {
  test("releases what waits for its next slice", () => {
    const { iterator, released } = waiting();
    void iterator.next();
    releaseIterator(iterator);
    expect(released()).toBe(1);
  });

  test("tells the log of a body that cannot be released", async () => {
    const module = JSON.stringify(new URL("../src/stream-body.ts", import.meta.url).pathname);
    const program = `
      const { releaseIterator } = await import(${module});
      releaseIterator({ next: async () => {}, return: async () => { throw new Error("stuck"); } });`;
    const child = Bun.spawn([process.execPath, "-e", program], { stderr: "pipe" });
    expect(await child.stderr.text()).toContain("a body could not be released: stuck");
    expect(await child.exited).toBe(0);
  });
});
