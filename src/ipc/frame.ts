// spec: docs/ipc-protocol.md, "Frames"
/**
 * The frame: what every message of a channel is wrapped in.
 *
 *   u64 length | u64 request_id | u8 type | payload        (big-endian; length counts what follows)
 *
 * Contract   numbers cross as u64 but are JavaScript numbers here, at most 2^53 - 1: a larger one
 *            on the wire is garbage. A payload is a list of slices, in order, never joined here.
 * Not here   reading a byte sequence (frame-reader.ts), writing one (frame-writer.ts).
 */
import { assert } from "../assert.ts";
import { frameBytesMax } from "../limits.ts";

export const frameTypes = { request: 1, reply: 2, error: 3, lane: 4 } as const;
export type FrameType = (typeof frameTypes)[keyof typeof frameTypes];

/** Bytes of the length field, which does not count itself. */
export const lengthFieldBytes = 8;
/** Bytes between the length field and the payload: request id and type. */
export const countedHeadBytes = 9;
/** Bytes before the payload. */
export const frameHeadBytes = lengthFieldBytes + countedHeadBytes;

export interface Frame {
  readonly requestId: number;
  readonly type: FrameType;
  readonly payload: readonly Uint8Array[];
}

/** The bytes from the peer are no frames: nothing after them can be trusted. */
export class FrameError extends Error {
  override readonly name = "FrameError";
}

/** A frame of our own would pass frameBytesMax; it was not sent, the channel is unharmed. */
export class FrameTooLargeError extends Error {
  override readonly name = "FrameTooLargeError";
}

export function isFrameType(value: number): value is FrameType {
  return value >= frameTypes.request && value <= frameTypes.lane;
}

export function byteLengthOf(slices: readonly Uint8Array[]): number {
  return slices.reduce((total, slice) => total + slice.byteLength, 0);
}

/**
 * The 17 bytes before a payload of `payloadBytes`.
 * Throws FrameTooLargeError when the reader would take the length for garbage.
 */
export function encodeFrameHead(
  requestId: number,
  type: FrameType,
  payloadBytes: number,
): Uint8Array {
  assert(Number.isSafeInteger(requestId) && requestId >= 0, `no request id: ${requestId}`);
  const length = countedHeadBytes + payloadBytes;
  if (length > frameBytesMax) {
    throw new FrameTooLargeError(`frame of ${length} bytes, at most ${frameBytesMax} may be sent`);
  }
  const head = new Uint8Array(frameHeadBytes);
  writeU64(head, 0, length);
  writeU64(head, lengthFieldBytes, requestId);
  head[frameHeadBytes - 1] = type;
  return head;
}

const u64Bytes = 8;

// Byte by byte: a DataView would be two more objects for each field of each frame.

export function writeU64(bytes: Uint8Array, offset: number, value: number): void {
  let rest = value;
  for (let index = offset + u64Bytes - 1; index >= offset; index--) {
    bytes[index] = rest % 256;
    rest = Math.floor(rest / 256);
  }
}

/** The u64 at `offset`; above 2^53 - 1 only its size is right, not its last digits. */
export function readU64(bytes: Uint8Array, offset: number): number {
  let value = 0;
  for (let index = offset; index < offset + u64Bytes; index++) {
    value = value * 256 + (bytes[index] ?? 0);
  }
  return value;
}
