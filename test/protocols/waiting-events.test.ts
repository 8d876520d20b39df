import { expect, test } from "bun:test";
import { withoutEvents } from "../../src/protocols/waiting-events.ts";

test.each([
  ["a\n\nb\n\nc\n\n", 0, "a\n\nb\n\nc\n\n"],
  ["event: a\ndata: 1\n\nb\n\nc\n\n", 2, "c\n\n"],
  ["a\n\n", 1, ""],
  ["a\n\n", 2, ""],
])("withoutEvents(%j, %d)", (stream, count, rest) => {
  // Behind other bytes of the same buffer.
  const bytes = new Uint8Array(Buffer.from(`x\n\n${stream}`)).subarray(3);
  expect(Buffer.from(withoutEvents(bytes, count)).toString()).toBe(rest);
});
