/**
 * Text to token ids and back, exactly as HuggingFace's tokenizers library does it.
 *
 * Contract   `encode` adds no special tokens of its own but finds added tokens in the text;
 *            `decode` drops nothing and never fails on an id that is not in the vocabulary.
 * Not here   reading a checkpoint directory (checkpoint.ts), the engine (rust-tokenizer.ts).
 */

export interface Tokenizer {
  /**
   * Python's `encode(text, add_special_tokens=False)`.
   *
   * @throws InvalidRequestError when the text holds half of a surrogate pair
   */
  encode(text: string): number[] | Promise<number[]>;
  /**
   * The ids of `encode` in steps, between which a caller lets others run: a step is about 8 Ki
   * characters, or a longer piece that the tokenizer cannot cut. Absent where `encode` itself works
   * beside the event loop.
   *
   * @throws InvalidRequestError when the text holds half of a surrogate pair
   */
  encodeInSteps?(text: string): Generator<void, number[]>;
  /** Python's `decode(ids, skip_special_tokens=False)`. */
  decode(ids: readonly number[]): string | Promise<string>;
  /** Id of the token that is spelled exactly like this. */
  tokenId(text: string): number | undefined;
  /** Python's `all_special_ids` together with every added token that is marked as special. */
  readonly specialTokenIds: ReadonlySet<number>;
}
