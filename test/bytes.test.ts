import { expect, test } from "bun:test";
import { concatBytes, freeBytes } from "../src/bytes.ts";

test("concatBytes() makes one array that owns exactly its bytes", () => {
  const whole = concatBytes([Buffer.from("ab"), new Uint8Array(0), Buffer.from("c")], 3);
  expect(Buffer.from(whole).toString()).toBe("abc");
  expect(whole.buffer.byteLength).toBe(3);
});

test("freeBytes() frees what owns its buffer, and leaves a view alone", () => {
  const whole = new Uint8Array(8);
  freeBytes(whole.subarray(4));
  expect(whole.length).toBe(8);
  freeBytes(whole);
  expect(whole.length).toBe(0);
});
