/**
 * Operations on bytes that every layer needs and the platform does not spell out.
 */

/** No bytes: what stands for a body where there is none. */
export const noBytes: Uint8Array = new Uint8Array(0);

/** One new array of exactly `byteLength` bytes, the sum of the parts. */
export function concatBytes(parts: readonly Uint8Array[], byteLength: number): Uint8Array {
  const whole = new Uint8Array(byteLength);
  let offset = 0;
  for (const part of parts) {
    whole.set(part, offset);
    offset += part.byteLength;
  }
  return whole;
}

/**
 * Frees memory at once that nothing refers to any more: the next allocation gets warm pages instead
 * of fresh ones, whose page faults cost more than reading the bytes. Does nothing to a view of a
 * part of its buffer.
 */
export function freeBytes(bytes: Uint8Array): void {
  const { buffer } = bytes;
  if (buffer instanceof ArrayBuffer && buffer.byteLength === bytes.byteLength) buffer.transfer(0);
}
