import { expect, test } from "bun:test";
import { EnvelopeError } from "../../src/ipc/envelope.ts";
import {
  checkLaneToken,
  decodeLaneToken,
  encodeLaneToken,
  mintLaneToken,
} from "../../src/ipc/lane-token.ts";

test("mintLaneToken never gives the same token twice", () => {
  expect(new Set(Array.from({ length: 1_000 }, mintLaneToken)).size).toBe(1_000);
});

test("a token survives its way: 32 hex digits in a reply, 16 bytes in a LANE frame", () => {
  const token = mintLaneToken();
  expect(checkLaneToken(token)).toBe(token);
  expect(encodeLaneToken(token).byteLength).toBe(16);
  expect(decodeLaneToken(encodeLaneToken(token))).toBe(token);
});

test("checkLaneToken refuses what is no token", () => {
  for (const text of ["", "0".repeat(31), "0".repeat(33), "g".repeat(32), "A".repeat(32)]) {
    expect(() => checkLaneToken(text)).toThrow(EnvelopeError);
  }
});
