/**
 * What Python's tokenizers make of 5,000 strings, and of lists of ids. Made by
 * scripts/make-tokenizer-vectors.py.
 */
import { expect, test } from "bun:test";
import { loadCheckpoint } from "../../src/tokenizer/checkpoint.ts";
import { checkpointDirectory } from "../fixtures/checkpoints.ts";
import { kimiCheckpointDirectory } from "../fixtures/kimi-checkpoint.ts";

interface TokenizerVectors {
  /** By string. */
  readonly ids: readonly number[][];
  readonly decoded: readonly [ids: number[], text: string][];
}

const packed = await Bun.file(new URL("tokenizers.vectors.json.gz", import.meta.url)).bytes();
const vectors = JSON.parse(new TextDecoder().decode(Bun.gunzipSync(packed)));
const strings: readonly string[] = vectors.strings;

const engines = [
  { name: "qwen3", directory: checkpointDirectory("qwen3"), tokenizer: "auto" },
  { name: "qwen3", directory: checkpointDirectory("qwen3"), tokenizer: "rust" },
  { name: "deepseekv32", directory: checkpointDirectory("deepseekv32"), tokenizer: "auto" },
  { name: "deepseekv32", directory: checkpointDirectory("deepseekv32"), tokenizer: "rust" },
  { name: "kimi", directory: await kimiCheckpointDirectory(), tokenizer: "auto" },
] as const;

for (const { name, directory, tokenizer: preference } of engines) {
  test(`${name} (${preference}) has Python's ids for 5,000 strings, and its texts`, async () => {
    const options = { chatTemplatePath: null, tokenizer: preference };
    const { tokenizer } = await loadCheckpoint(directory, options);
    const { ids, decoded }: TokenizerVectors = vectors[name];
    expect(strings.length).toBe(5_000);
    for (const [index, text] of strings.entries()) {
      const own = await tokenizer.encode(text);
      if (!Bun.deepEquals(own, ids[index]))
        expect(own, JSON.stringify(text)).toEqual(ids[index] ?? []);
    }
    for (const [some, text] of decoded) {
      expect(await tokenizer.decode(some), JSON.stringify(some)).toBe(text);
    }
  });
}
