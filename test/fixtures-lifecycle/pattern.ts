/** Large bodies whose every byte can be checked without holding them. */

const period = 1_048_573;
const pattern = Uint8Array.from(
  { length: period },
  (_, index) => (index * 31 + (index >> 8)) & 255,
);

/** `byteLength` bytes of the pattern in chunks of its period, a prime number of bytes. */
export async function* patternChunks(byteLength: number): AsyncGenerator<Uint8Array> {
  for (let sent = 0; sent < byteLength; sent += period) {
    yield pattern.subarray(0, Math.min(period, byteLength - sent));
  }
}

export function patternBytes(byteLength: number): Uint8Array {
  return Uint8Array.from({ length: byteLength }, (_, index) => pattern[index % period] ?? 0);
}

/** Reads all chunks and returns how many bytes came; throws at the first chunk that is wrong. */
export async function countPattern(chunks: AsyncIterable<Uint8Array>): Promise<number> {
  let received = 0;
  for await (const chunk of chunks) {
    for (let offset = 0; offset < chunk.byteLength; ) {
      const start = received % period;
      const count = Math.min(period - start, chunk.byteLength - offset);
      const expected = pattern.subarray(start, start + count);
      if (Buffer.compare(expected, chunk.subarray(offset, offset + count)) !== 0) {
        throw new Error(`wrong bytes after ${received}`);
      }
      received += count;
      offset += count;
    }
  }
  return received;
}
