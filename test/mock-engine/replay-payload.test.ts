import { expect, test } from "bun:test";
import { type ReplayPayloadKind, ReplayPayloads } from "../../src/mock-engine/replay-payload.ts";

const payloads = new ReplayPayloads();

function text(kind: ReplayPayloadKind, seed: string, byteLength: number): string {
  return Buffer.concat(payloads.text(kind, seed, byteLength)).toString("latin1");
}

test("text() is the canonical base64 of so many bytes", () => {
  for (const byteLength of [0, 1, 2, 3, 4, 5, 6, 47, 48, 4_000_001]) {
    const payload = text("routed_experts", "a", byteLength);
    const bytes = Buffer.from(payload, "base64");
    expect(bytes.length).toBe(byteLength);
    expect(bytes.toString("base64") === payload).toBe(true);
  }
});

test("text() of a longer payload begins with that of a shorter one", () => {
  const long = text("routed_experts", "session", 3_000_000);
  for (const rows of [1, 2, 333, 50_000]) {
    expect(long.startsWith(text("routed_experts", "session", rows * 48))).toBe(true);
    // Rows of 16 bytes pad: everything but the last group is equal.
    expect(long.startsWith(text("routed_experts", "session", rows * 16).slice(0, -4))).toBe(true);
  }
});

test("text() differs between seeds and kinds, and is the same from every engine", () => {
  const one = text("routed_experts", "a", 300);
  expect(text("routed_experts", "b", 300)).not.toBe(one);
  expect(text("indexer_topk", "a", 300)).not.toBe(one);
  const other = Buffer.concat(new ReplayPayloads().text("routed_experts", "a", 300));
  expect(other.toString("latin1")).toBe(one);
});

test("text() shares memory between payloads", () => {
  const [first] = payloads.text("routed_experts", "a", 300);
  const [second] = payloads.text("routed_experts", "a", 600);
  expect(first?.buffer).toBeDefined();
  expect(first?.buffer).toBe(second?.buffer);
});
