import { expect, test } from "bun:test";
import { concatBytes } from "../src/bytes.ts";

test("concatBytes() makes one array that owns exactly its bytes", () => {
  const whole = concatBytes([Buffer.from("ab"), new Uint8Array(0), Buffer.from("c")], 3);
  expect(Buffer.from(whole).toString()).toBe("abc");
  expect(whole.buffer.byteLength).toBe(3);
});
