/**
 * The Rust tokenizers binding as the oracle of these tests: what it makes of a definition, a
 * pattern or a text is right.
 */
import { Tokenizer as RustTokenizer } from "tokenizers";
import { createByteLevelBpeTokenizer } from "../../../src/tokenizer/byte-level-bpe/byte-level-bpe-tokenizer.ts";
import type { Tokenizer } from "../../../src/tokenizer/tokenizer.ts";

const utf8 = new TextEncoder();

export const noOverrides = { addedTokens: [], specialTokens: [] };

/** The same definition in both engines. */
export class TokenizerPair {
  readonly own: Tokenizer;
  readonly rust: RustTokenizer;

  constructor(json: string) {
    this.own = createByteLevelBpeTokenizer(utf8.encode(json), noOverrides);
    this.rust = RustTokenizer.fromString(json);
  }

  /** The texts that the two encode differently, at once or in steps, with what each makes of them. */
  async encodingDifferences(texts: readonly string[]): Promise<unknown[]> {
    const differences: unknown[] = [];
    const batchTexts = 1_000;
    for (let start = 0; start < texts.length; start += batchTexts) {
      const batch = texts.slice(start, start + batchTexts);
      const encodings = await this.rust.encodeBatch(batch, { addSpecialTokens: false });
      for (const [index, encoding] of encodings.entries()) {
        const text = batch[index] ?? "";
        const own = await this.own.encode(text);
        const rust = encoding.getIds();
        if (!Bun.deepEquals(own, rust)) differences.push({ text, own, rust });
        const inSteps = idsInSteps(this.own, text);
        if (!Bun.deepEquals(inSteps, rust)) differences.push({ text, inSteps, rust });
      }
    }
    return differences;
  }

  /** The lists of ids that the two decode differently. */
  async decodingDifferences(lists: readonly number[][]): Promise<unknown[]> {
    const texts = await this.rust.decodeBatch([...lists], false);
    const differences: unknown[] = [];
    for (const [index, ids] of lists.entries()) {
      const own = await this.own.decode(ids);
      if (own !== texts[index]) differences.push({ ids, own, rust: texts[index] });
    }
    return differences;
  }
}

/** What `encodeInSteps` gives, when all steps are done. */
export function idsInSteps(tokenizer: Tokenizer, text: string): readonly number[] {
  const work = tokenizer.encodeInSteps?.(text);
  for (;;) {
    const step = work?.next();
    if (step === undefined) return [];
    if (step.done === true) return step.value;
  }
}

/** Cuts text with a pattern as the library does; "Removed" leaves out what it matches. */
export function librarySplitter(
  pattern: string,
  behavior: "Isolated" | "Removed" = "Isolated",
): (text: string) => string[] {
  const preTokenizer = RustTokenizer.fromString(
    JSON.stringify({
      version: "1.0",
      added_tokens: [],
      pre_tokenizer: {
        type: "Split",
        pattern: { Regex: pattern },
        behavior,
        invert: false,
      },
      model: { type: "WordLevel", vocab: { x: 0 }, unk_token: "x" },
    }),
  ).getPreTokenizer();
  if (preTokenizer === null) throw new Error(`the binding does not take ${pattern}`);
  return (text) => preTokenizer.preTokenizeString(text).map(([piece]) => piece);
}
