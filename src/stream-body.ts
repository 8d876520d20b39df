/**
 * A body that is handed over slice by slice, and how one is made, read and let go.
 *
 * Contract   a body has one owner at a time, who reads it to its end or releases it: what it holds
 *            (a snapshot of records, a connection, a lane) is free only then. It is read once.
 */
import { concatBytes } from "./bytes.ts";
import { errorText } from "./errors.ts";
import { log } from "./log.ts";

/**
 * Whoever consumes it reads it to its end or calls return(), and has let go of a slice (written or
 * copied it) two next() calls later at the latest: slices may be views of memory that is freed with
 * the body.
 */
export interface StreamBody {
  /** Bytes in all when known in advance. */
  readonly byteLength: number | null;
  readonly chunks: AsyncIterable<Uint8Array>;
}

/** Bytes as a body of one slice. */
export function streamOf(bytes: Uint8Array): StreamBody {
  return { byteLength: bytes.byteLength, chunks: oneSlice(bytes) };
}

async function* oneSlice(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

/** Reads to the end, into memory; rejects as the body does. A body of one slice is that slice. */
export async function readBody(chunks: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const slices: Uint8Array[] = [];
  let byteLength = 0;
  for await (const slice of chunks) {
    slices.push(slice);
    byteLength += slice.byteLength;
  }
  return slices.length === 1 && slices[0] ? slices[0] : concatBytes(slices, byteLength);
}

/** Lets go of a body that nobody will read. Bytes hold nothing. */
export function releaseBody(body: Uint8Array | StreamBody): void {
  if (!(body instanceof Uint8Array)) releaseIterator(body.chunks[Symbol.asyncIterator]());
}

/**
 * Lets go of a body that is being read, also while it works on its next slice. Nobody waits for it,
 * so a failure is only logged.
 */
export function releaseIterator(iterator: AsyncIterator<Uint8Array>): void {
  iterator.return?.().catch((error: unknown) => {
    log.warn(`a body could not be released: ${errorText(error)}`);
  });
}
