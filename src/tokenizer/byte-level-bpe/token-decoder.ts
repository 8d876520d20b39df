/**
 * Token ids to text: the bytes of all tokens, decoded as UTF-8 at once.
 *
 * Contract   ids without a token are left out; what is no UTF-8 becomes U+FFFD, as in Rust's
 *            from_utf8_lossy; a byte-order mark stays.
 */
import type { Vocabulary } from "./vocabulary.ts";

const utf8 = new TextDecoder("utf-8", { ignoreBOM: true });

export function decodeTokens(vocabulary: Vocabulary, ids: readonly number[]): string {
  let length = 0;
  for (const id of ids) {
    const start = vocabulary.start(id);
    if (start >= 0) length += vocabulary.end(id) - start;
  }
  const source = vocabulary.bytes;
  const target = new Uint8Array(length);
  let written = 0;
  for (const id of ids) {
    const start = vocabulary.start(id);
    if (start < 0) continue;
    const end = vocabulary.end(id);
    for (let index = start; index < end; index += 1) {
      target[written] = source[index] as number;
      written += 1;
    }
  }
  return utf8.decode(target);
}
