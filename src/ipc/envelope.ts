// spec: docs/ipc-protocol.md, "Envelope"
/**
 * The payload of a request or reply: facts as JSON, then a body as it is.
 *
 *   u64 meta_length | meta JSON (UTF-8) | raw body
 *
 * Contract   the body is never parsed, copied or joined; only the facts are.
 * Reports    EnvelopeError when a payload does not hold what it says.
 * Not here   which facts there are: operation-message.ts.
 */
import { concatBytes } from "../bytes.ts";
import { byteLengthOf, readU64, writeU64 } from "./frame.ts";

const metaLengthBytes = 8;

export interface Envelope {
  readonly meta: unknown;
  readonly body: readonly Uint8Array[];
}

/** A payload that is no envelope, or whose facts are not those expected. */
export class EnvelopeError extends Error {
  override readonly name = "EnvelopeError";
}

const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

export function encodeEnvelope(meta: unknown, body: readonly Uint8Array[]): Uint8Array[] {
  const text = encoder.encode(JSON.stringify(meta));
  const head = new Uint8Array(metaLengthBytes + text.byteLength);
  writeU64(head, 0, text.byteLength);
  head.set(text, metaLengthBytes);
  return [head, ...body];
}

export function decodeEnvelope(payload: readonly Uint8Array[]): Envelope {
  const metaBytes = readU64(contiguous(splitAt(payload, metaLengthBytes)[0]), 0);
  const [head, body] = splitAt(payload, metaLengthBytes + metaBytes);
  const text = contiguous(head).subarray(metaLengthBytes);
  try {
    return { meta: JSON.parse(decoder.decode(text)), body };
  } catch (error) {
    throw new EnvelopeError("the facts of an envelope are no JSON", { cause: error });
  }
}

/**
 * The slices as one array: the slice itself when there is one and it does not keep much more than
 * itself in memory (a slice of a socket's chunk keeps the whole chunk), else a copy.
 */
export function joined(slices: readonly Uint8Array[]): Uint8Array {
  const only = slices.length === 1 ? slices[0] : undefined;
  if (only !== undefined && only.buffer.byteLength <= 2 * only.byteLength) return only;
  return concatBytes(slices, byteLengthOf(slices));
}

/** The slices as one array that is read at once and not kept: a copy only of several. */
function contiguous(slices: readonly Uint8Array[]): Uint8Array {
  const only = slices.length === 1 ? slices[0] : undefined;
  return only ?? concatBytes(slices, byteLengthOf(slices));
}

/** The first `byteCount` bytes and what follows them. */
function splitAt(slices: readonly Uint8Array[], byteCount: number): [Uint8Array[], Uint8Array[]] {
  const before: Uint8Array[] = [];
  const after: Uint8Array[] = [];
  let missing = byteCount;
  for (const slice of slices) {
    const taken = Math.min(missing, slice.byteLength);
    if (taken > 0) before.push(slice.subarray(0, taken));
    if (taken < slice.byteLength) after.push(slice.subarray(taken));
    missing -= taken;
  }
  if (missing > 0) throw new EnvelopeError(`an envelope ends ${missing} bytes early`);
  return [before, after];
}
