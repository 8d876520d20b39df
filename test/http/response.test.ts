import { describe, expect, test } from "bun:test";
import { release, toResponse } from "../../src/http/response.ts";

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

test("release() lets go of a stream and leaves bytes alone", () => {
  const counting = countingBody();
  release({ status: 200, headers: [], body: counting.body });
  expect(counting.released()).toBe(1);
  release({ status: 200, headers: [], body: new Uint8Array(1) });
});
