/**
 * Reads the BPE model of a tokenizer.json: vocabulary and merges go straight from bytes to tables.
 *
 * Reports    UnsupportedFeatureError for any other model, for options that change its tokens, and
 *            for a vocabulary that lacks what byte-level encoding needs.
 */
import { byteCount } from "./byte-alphabet.ts";
import type { JsonCursor } from "./json-cursor.ts";
import { MergeTable } from "./merge-table.ts";
import { TokenReader } from "./token-reader.ts";
import { requireFeature, UnsupportedFeatureError } from "./unsupported-feature.ts";
import { Vocabulary } from "./vocabulary.ts";

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
  const reader = new TokenReader(json);
  const options = new Map<string, unknown>();
  let vocabulary: ReadVocabulary | null = null;
  let merges: MergeTable | null = null;
  let mergesIndex = -1;
  json.readObject((name) => {
    if (name === "vocab") {
      vocabulary = readVocabulary(json, reader);
    } else if (name === "merges") {
      mergesIndex = json.index;
      if (vocabulary === null) json.skipValue();
      else merges = readMerges(json, reader, vocabulary.vocabulary);
    } else {
      options.set(name, json.readValue());
    }
  });
  // Closures assign these, which the compiler does not follow.
  const read = vocabulary as ReadVocabulary | null;
  requireFeature(read !== null && mergesIndex >= 0, "a model without vocabulary or merges");
  checkOptions(options);
  if (merges === null) {
    const end = json.index;
    json.index = mergesIndex;
    merges = readMerges(json, reader, read.vocabulary);
    json.index = end;
  }
  return {
    ...read,
    merges,
    byteTokens: byteTokens(read.vocabulary),
    ignoreMerges: options.get("ignore_merges") === true,
  };
}

type ReadVocabulary = Pick<BytePairModel, "vocabulary" | "otherTokens" | "tokenCount">;

function readVocabulary(json: JsonCursor, reader: TokenReader): ReadVocabulary {
  const vocabulary = new Vocabulary();
  const otherTokens = new Map<string, number>();
  const utf8 = new TextEncoder();
  let tokenCount = 0;
  let other: string | null = null;
  const readName = (): void => {
    other = reader.readToken();
  };
  const readId = (): void => {
    const id = json.readUnsigned();
    tokenCount += 1;
    if (other === null) {
      vocabulary.add(id, reader.bytes, reader.length);
      return;
    }
    requireFeature(!otherTokens.has(other), "a vocabulary that repeats a token");
    otherTokens.set(other, id);
    const bytes = utf8.encode(other);
    vocabulary.addHidden(id, bytes, bytes.length);
  };
  requireFeature(json.isAtObject, "a vocabulary that is no object");
  json.readEntries(readName, readId);
  return { vocabulary, otherTokens, tokenCount };
}

function readMerges(json: JsonCursor, reader: TokenReader, vocabulary: Vocabulary): MergeTable {
  const merges = new MergeTable();
  const { bytes } = reader;
  requireFeature(json.isAtArray, "merges that are no list");
  json.readArray(() => {
    const middle = reader.readMerge();
    const end = reader.length;
    const left = vocabulary.find(bytes, 0, middle);
    const right = vocabulary.find(bytes, middle, end);
    const merged = vocabulary.find(bytes, 0, end);
    requireFeature(left >= 0 && right >= 0 && merged >= 0, "a merge of what is no token");
    merges.add(left, right, merged);
  });
  return merges;
}

function checkOptions(options: ReadonlyMap<string, unknown>): void {
  const type = options.get("type");
  requireFeature(type === "BPE", `a model of type ${JSON.stringify(type)}`);
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

function byteTokens(vocabulary: Vocabulary): Int32Array {
  const tokens = new Int32Array(byteCount);
  for (let byte = 0; byte < byteCount; byte += 1) {
    const token = vocabulary.find(Uint8Array.of(byte), 0, 1);
    if (token < 0) throw new UnsupportedFeatureError(`a vocabulary without the byte ${byte}`);
    tokens[byte] = token;
  }
  return tokens;
}
