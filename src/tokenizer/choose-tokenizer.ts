/**
 * Which engine encodes and decodes for a checkpoint: the byte-level BPE tokenizer of this program
 * where it does everything exactly that the definition asks for, the Rust library otherwise.
 *
 * Contract   both give the same ids. The library is loaded only when it is used: a process without
 *            it starts in half the time and holds half the memory (bench/README.md, "Start-up").
 * Reports    CheckpointError when the library is used and refuses the definition.
 */
import type { TokenizerPreference } from "../config.ts";
import { createByteLevelBpeTokenizer } from "./byte-level-bpe/byte-level-bpe-tokenizer.ts";
import { UnsupportedFeatureError } from "./byte-level-bpe/unsupported-feature.ts";
import type { TokenizerDefinition } from "./rust-tokenizer.ts";
import type { Tokenizer } from "./tokenizer.ts";

/** A definition with the bytes of its tokenizer.json, as a file has them. */
export interface TokenizerSource extends Omit<TokenizerDefinition, "json"> {
  readonly json: Uint8Array;
}

export interface TokenizerChoice {
  readonly tokenizer: Tokenizer;
  readonly engine: "byte-level-bpe" | "rust";
  /** What the fast engine does not do exactly; null when it is used or was not wanted. */
  readonly unsupported: string | null;
}

/** @throws CheckpointError */
export async function chooseTokenizer(
  source: TokenizerSource,
  preference: TokenizerPreference,
): Promise<TokenizerChoice> {
  let unsupported: string | null = null;
  if (preference === "auto") {
    try {
      const tokenizer = createByteLevelBpeTokenizer(source.json, source);
      return { tokenizer, engine: "byte-level-bpe", unsupported };
    } catch (error) {
      if (!(error instanceof UnsupportedFeatureError)) throw error;
      unsupported = error.message;
    }
  }
  const { createRustTokenizer } = await import("./rust-tokenizer.ts");
  const json = new TextDecoder("utf-8", { ignoreBOM: true }).decode(source.json);
  const tokenizer = createRustTokenizer({ ...source, json });
  return { tokenizer, engine: "rust", unsupported };
}
