/**
 * Reads the BPE model of a tokenizer.json: vocabulary and merges go straight from bytes to tables.
 *
 * Reports    UnsupportedFeatureError for any other model, for options that change its tokens, and
 *            for a vocabulary that lacks what byte-level encoding needs.
 */
import { byteCount } from "./byte-alphabet.ts";
import type { JsonCursor } from "./json-cursor.ts";
import { MergeTable } from "./merge-table.ts";
import { readMergeTokens, readVocabularyTokens } from "./token-list-reader.ts";
import { requireFeature, UnsupportedFeatureError } from "./unsupported-feature.ts";
import { emptyHash, hashByte, hashBytes, Vocabulary } from "./vocabulary.ts";
export interface BytePairModel {
  readonly vocabulary: Vocabulary;
  /** Tokens with characters outside of the byte alphabet: no text is encoded to one of them. */
  readonly otherTokens: ReadonlyMap<string, number>;
  /** Tokens of the vocabulary, of both kinds. */
  readonly tokenCount: number;
  readonly merges: MergeTable;
  /** Token of each byte. */
  readonly byteTokens: Int32Array;
  /** A piece that is a token as a whole stays one, whatever the merges say. */
  readonly ignoreMerges: boolean;
}

/** Values of options with which they do nothing. */
const withoutEffect: ReadonlyMap<string, readonly unknown[]> = new Map<string, readonly unknown[]>([
  ["dropout", [null, 0]],
  ["continuing_subword_prefix", [null, ""]],
  ["end_of_word_suffix", [null, ""]],
]);

/** About characters without a token, of which there are none in a byte-level vocabulary. */
const unusedOptions = new Set(["unk_token", "fuse_unk", "byte_fallback"]);

/** Reads the model object that begins at the cursor. */
export function readBytePairModel(json: JsonCursor): BytePairModel {
  requireFeature(json.isAtObject, "a model that is no object");
  const options = new Map<string, unknown>();
  let vocabulary: ReadVocabulary | null = null;
  let merges: MergeTable | null = null;
  let mergesIndex = -1;
  json.readObject((name) => {
    if (name === "vocab") {
      vocabulary = readVocabulary(json);
    } else if (name === "merges") {
      mergesIndex = json.index;
      if (vocabulary === null) json.skipValue();
      else merges = readMerges(json, vocabulary.vocabulary);
    } else {
      options.set(name, json.readValue());
      // The type stands in front of what only this type of model has.
      if (name === "type") checkType(options);
    }
  });
  // Closures assign these, which the compiler does not follow.
  const read = vocabulary as ReadVocabulary | null;
  requireFeature(read !== null && mergesIndex >= 0, "a model without vocabulary or merges");
  checkOptions(options);
  if (merges === null) {
    const end = json.index;
    json.index = mergesIndex;
    merges = readMerges(json, read.vocabulary);
    json.index = end;
  }
  // Only now: to the merges, these bytes would look like those of the byte alphabet.
  const utf8 = new TextEncoder();
  for (const [text, id] of read.otherTokens) read.vocabulary.addHidden(id, utf8.encode(text));
  return {
    ...read,
    merges,
    byteTokens: byteTokens(read.vocabulary),
    ignoreMerges: options.get("ignore_merges") === true,
  };
}

type ReadVocabulary = Pick<BytePairModel, "vocabulary" | "otherTokens" | "tokenCount">;

function readVocabulary(json: JsonCursor): ReadVocabulary {
  const { count, bytes, ends, hashes, numbers, others } = readVocabularyTokens(json);
  const length = ends[count - 1] ?? 0;
  const vocabulary = new Vocabulary(bytes.slice(0, length), length, count);
  let start = 0;
  for (let index = 0; index < count; index += 1) {
    const end = ends[index] as number;
    // The empty token has no bytes either.
    const isOther = start === end && others.has(index);
    if (!isOther) vocabulary.index(numbers[index] as number, start, end, hashes[index] as number);
    start = end;
  }
  const otherTokens = new Map<string, number>();
  for (const [index, text] of others) {
    requireFeature(!otherTokens.has(text), "a vocabulary that repeats a token");
    otherTokens.set(text, numbers[index] as number);
  }
  return { vocabulary, otherTokens, tokenCount: count };
}

function readMerges(json: JsonCursor, vocabulary: Vocabulary): MergeTable {
  const { count, bytes, ends, hashes, others } = readMergeTokens(json);
  requireFeature(others.size === 0, "a merge of tokens that are not of the byte alphabet");
  const merges = new MergeTable(count / 2);
  let start = 0;
  let merged = -1;
  for (let index = 0; index < count; index += 2) {
    const middle = ends[index] as number;
    const end = ends[index + 1] as number;
    const leftHash = hashes[index] as number;
    const left = vocabulary.find(bytes, start, middle, leftHash);
    const right = vocabulary.find(bytes, middle, end, hashes[index + 1] as number);
    // Training numbers tokens in the order of merges, so that the next id is a good guess.
    merged += 1;
    if (!vocabulary.equals(merged, bytes, start, end)) {
      merged = vocabulary.find(bytes, start, end, hashBytes(bytes, middle, end, leftHash));
    }
    requireFeature(left >= 0 && right >= 0 && merged >= 0, "a merge of what is no token");
    merges.add(left, right, merged);
    start = end;
  }
  return merges;
}

function checkOptions(options: ReadonlyMap<string, unknown>): void {
  checkType(options);
  for (const [name, value] of options) {
    if (name === "type" || unusedOptions.has(name)) continue;
    if (name === "ignore_merges") {
      requireFeature(typeof value === "boolean", "ignore_merges that is neither true nor false");
      continue;
    }
    const harmless = withoutEffect.get(name)?.includes(value) ?? false;
    requireFeature(harmless, `the model option ${name} = ${JSON.stringify(value)}`);
  }
}

function checkType(options: ReadonlyMap<string, unknown>): void {
  const type = options.get("type");
  requireFeature(type === "BPE", `a model of type ${JSON.stringify(type)}`);
}

function byteTokens(vocabulary: Vocabulary): Int32Array {
  const tokens = new Int32Array(byteCount);
  for (let byte = 0; byte < byteCount; byte += 1) {
    const token = vocabulary.find(Uint8Array.of(byte), 0, 1, hashByte(emptyHash, byte));
    if (token < 0) throw new UnsupportedFeatureError(`a vocabulary without the byte ${byte}`);
    tokens[byte] = token;
  }
  return tokens;
}
