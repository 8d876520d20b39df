/**
 * Operations on bytes that every layer needs and the platform does not spell out.
 */

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
