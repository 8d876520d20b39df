/**
 * The routed_experts of every reply of a run: one run of base64 text; a payload is a slice of it.
 *
 * Contract   the payload of `byteLength` bytes at `start` is canonical base64 text; under
 *            accumulated R3 the payload of a turn begins with that of the turn before, but for the
 *            last group of four characters where a length is no multiple of three, as with a real
 *            engine.
 * Memory     once the longest payload and a little more, however many turns and sessions there are.
 */
import { createCipheriv } from "node:crypto";

const groupBytes = 3;
const groupCharacters = 4;

/** Characters between the starts of two sessions' payloads, so that no two sessions are alike. */
const sessionStrideCharacters = 4 * 1024;

/** Bytes that are encoded at a time; a multiple of three, so that pieces can be joined. */
const pieceBytes = 3 * 1024 * 1024;

/** Base64 text for payloads of up to `payloadBytes` bytes in `sessions` sessions. */
export function makeReplayText(payloadBytes: number, sessions: number, seed: number): Uint8Array {
  if (payloadBytes === 0) return new Uint8Array(0);
  const groups = Math.ceil(payloadBytes / groupBytes);
  const characters = groups * groupCharacters + sessions * sessionStrideCharacters;
  const text = Buffer.allocUnsafe(characters);
  const key = Buffer.alloc(16);
  key.writeUInt32LE(seed >>> 0);
  // A block cipher over zeros: random bytes at a gigabyte a second that are the same everywhere.
  const cipher = createCipheriv("aes-128-ctr", key, Buffer.alloc(16));
  const zeros = Buffer.alloc(pieceBytes);
  for (let offset = 0; offset < characters; ) {
    offset += text.write(cipher.update(zeros).toString("base64"), offset, "latin1");
  }
  return text;
}

/** Where in the text one payload stands. */
export interface ReplaySlice {
  /** Payload bytes before it in the same session: 0 but for incremental payloads. */
  readonly skippedBytes: number;
  readonly byteLength: number;
}

/** Characters of a payload of this many bytes. */
export function replayCharacters(byteLength: number): number {
  return Math.ceil(byteLength / groupBytes) * groupCharacters;
}

/** The payload's text: a view of `text`, and the last group when padding changes it. */
export function replayPayload(
  text: Uint8Array,
  sessionIndex: number,
  slice: ReplaySlice,
): Uint8Array[] {
  const start =
    sessionIndex * sessionStrideCharacters +
    Math.floor(slice.skippedBytes / groupBytes) * groupCharacters;
  const wholeEnd = start + Math.floor(slice.byteLength / groupBytes) * groupCharacters;
  const whole = text.subarray(start, wholeEnd);
  const restBytes = slice.byteLength % groupBytes;
  if (restBytes === 0) return [whole];
  const group = Buffer.from(text.subarray(wholeEnd, wholeEnd + groupCharacters));
  const rest = Buffer.from(group.toString("latin1"), "base64").subarray(0, restBytes);
  return [whole, Buffer.from(rest.toString("base64"), "latin1")];
}
