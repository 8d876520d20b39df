import { expect, test } from "bun:test";
import {
  makeReplayText,
  replayCharacters,
  replayPayload,
} from "../../../bench/workload/replay-text.ts";

const text = makeReplayText(10_000, 3, 1);

function payload(sessionIndex: number, skippedBytes: number, byteLength: number): string {
  const slices = replayPayload(text, sessionIndex, { skippedBytes, byteLength });
  return Buffer.concat(slices).toString("latin1");
}

test("replayPayload() is canonical base64 text of exactly so many bytes", () => {
  for (const byteLength of [0, 1, 2, 3, 4, 1_000, 9_999, 10_000]) {
    const encoded = payload(2, 0, byteLength);
    const bytes = Buffer.from(encoded, "base64");
    expect(bytes).toHaveLength(byteLength);
    expect(bytes.toString("base64")).toBe(encoded);
    expect(encoded).toHaveLength(replayCharacters(byteLength));
  }
});

test("replayPayload() of a turn begins with the bytes of the turn before", () => {
  const shorter = Buffer.from(payload(1, 0, 1_000), "base64");
  const longer = Buffer.from(payload(1, 0, 2_000), "base64");
  expect(longer.subarray(0, 1_000)).toEqual(shorter);
});

test("replayPayload() differs from session to session, and along an incremental one", () => {
  expect(payload(0, 0, 300)).not.toBe(payload(1, 0, 300));
  expect(payload(0, 300, 300)).toBe(payload(0, 0, 600).slice(400));
});

test("makeReplayText() follows from the seed alone", () => {
  expect(makeReplayText(10_000, 3, 1)).toEqual(text);
  expect(makeReplayText(10_000, 3, 2)).not.toEqual(text);
  expect(makeReplayText(0, 3, 1)).toHaveLength(0);
});
