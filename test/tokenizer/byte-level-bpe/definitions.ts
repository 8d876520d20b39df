/**
 * Small byte-level definitions for these tests: the 256 bytes, a few merged tokens, and whatever a
 * test changes.
 */

/** The byte alphabet, by byte: GPT-2's bytes_to_unicode(). */
export const alphabet: readonly string[] = (() => {
  let next = 256;
  return Array.from({ length: 256 }, (_, byte) => {
    const isVisible = (byte > 0x20 && byte < 0x7f) || (byte > 0xa0 && byte !== 0xad);
    return String.fromCharCode(isVisible ? byte : next++);
  });
})();

/** A text as a vocabulary writes it. */
export function spelled(text: string): string {
  return [...new TextEncoder().encode(text)].map((byte) => alphabet[byte]).join("");
}

/** Pairs in the order of their ranks, as plain text. */
export type Merges = readonly (readonly [string, string])[];

export const byteLevel = {
  type: "ByteLevel",
  add_prefix_space: false,
  trim_offsets: false,
  use_regex: false,
};

export function split(regex: string) {
  return { type: "Split", pattern: { Regex: regex }, behavior: "Isolated", invert: false };
}

export function sequence(...pretokenizers: readonly object[]) {
  return { type: "Sequence", pretokenizers };
}

/** Ids: 0-255 the bytes, then the merged tokens in the order in which they first appear. */
export function bytePairModel(merges: Merges) {
  const tokens = new Set([...alphabet, ...merges.map(([left, right]) => spelled(left + right))]);
  return {
    type: "BPE",
    dropout: null,
    unk_token: null,
    continuing_subword_prefix: null,
    end_of_word_suffix: null,
    fuse_unk: false,
    byte_fallback: false,
    ignore_merges: false,
    vocab: Object.fromEntries([...tokens].map((token, id) => [token, id])),
    merges: merges.map(([left, right]) => [spelled(left), spelled(right)]),
  };
}

/** An entry of added_tokens. */
export function added(id: number, content: string, settings: object = {}) {
  return {
    id,
    content,
    single_word: false,
    lstrip: false,
    rstrip: false,
    normalized: false,
    special: true,
    ...settings,
  };
}

export function definition(changes: object = {}, merges: Merges = []): string {
  return JSON.stringify({
    version: "1.0",
    truncation: null,
    padding: null,
    added_tokens: [],
    normalizer: null,
    pre_tokenizer: byteLevel,
    post_processor: null,
    decoder: byteLevel,
    model: bytePairModel(merges),
    ...changes,
  });
}
