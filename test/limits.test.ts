import { expect, test } from "bun:test";
import * as limits from "../src/limits.ts";

test("every limit is a positive whole number", () => {
  for (const [name, value] of Object.entries(limits)) {
    expect([name, Number.isSafeInteger(value) && value > 0]).toEqual([name, true]);
  }
});

test("a request body of one GiB is accepted", () => {
  expect(limits.requestBodyBytesMax).toBeGreaterThanOrEqual(2 ** 30);
  expect(limits.chatBodyBytesMax).toBeGreaterThanOrEqual(2 ** 30);
});
