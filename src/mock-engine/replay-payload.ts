/**
 * Replay payloads (`routed_experts`, `indexer_topk`) as an engine sends them: base64 text of one
 * row of bytes for each token, from the start of the conversation.
 *
 * Contract   byte p of a payload depends on its kind, the seed (the session) and p alone, so the
 *            payload of a turn begins with that of the turn before. Its text does so too when rows
 *            are a multiple of 3 bytes; otherwise base64 pads, and the last group of four
 *            characters of the shorter text differs, as it does with a real engine.
 * Memory     one run of random base64 text for all payloads, as long as the longest; a payload is
 *            a list of its slices, a seed chooses where in the first block it begins.
 */

/** Bytes of base64 text in one block: slices of this size are sent without a copy by Bun. */
const blockBytes = 1024 * 1024;
const groupCharacters = 4;
const groupBytes = 3;

const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

export type ReplayPayloadKind = "routed_experts" | "indexer_topk";

export class ReplayPayloads {
  readonly #blocks: Uint8Array[] = [];

  /** The base64 text of `byteLength` payload bytes; the slices must not be written to. */
  text(kind: ReplayPayloadKind, seed: string, byteLength: number): Uint8Array[] {
    const start = this.#startOf(kind, seed);
    const wholeGroups = Math.floor(byteLength / groupBytes);
    const slices = this.#slices(start, wholeGroups * groupCharacters);
    const restBytes = byteLength % groupBytes;
    if (restBytes > 0) {
      const group = this.#slices(start + wholeGroups * groupCharacters, groupCharacters);
      const bytes = Buffer.from(Buffer.concat(group).toString("latin1"), "base64");
      slices.push(Buffer.from(bytes.subarray(0, restBytes).toString("base64"), "latin1"));
    }
    return slices;
  }

  #startOf(kind: ReplayPayloadKind, seed: string): number {
    const groups = BigInt(blockBytes / groupCharacters);
    return Number(BigInt(Bun.hash(`${kind}:${seed}`)) % groups) * groupCharacters;
  }

  #slices(start: number, length: number): Uint8Array[] {
    const slices: Uint8Array[] = [];
    for (let at = start; at < start + length; ) {
      const offset = at % blockBytes;
      const taken = Math.min(blockBytes - offset, start + length - at);
      slices.push(this.#block((at - offset) / blockBytes).subarray(offset, offset + taken));
      at += taken;
    }
    return slices;
  }

  #block(index: number): Uint8Array {
    this.#blocks[index] ??= randomBase64(index);
    return this.#blocks[index];
  }
}

/** Two base64 characters for every 12-bit number, as the bytes of one 16-bit word. */
const characterPairs = Uint16Array.from({ length: 4096 }, (_, bits) => {
  return alphabet.charCodeAt(bits >> 6) | (alphabet.charCodeAt(bits & 63) << 8);
});

/** A block of base64 text from an xorshift generator; equal for equal seeds. */
function randomBase64(seed: number): Uint8Array {
  const words = new Uint16Array(blockBytes / 2);
  let state = (seed + 1) * 2_654_435_761;
  for (let index = 0; index < words.length; index += 2) {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    words[index] = characterPairs[state & 4095] ?? 0;
    words[index + 1] = characterPairs[(state >>> 12) & 4095] ?? 0;
  }
  return new Uint8Array(words.buffer);
}
