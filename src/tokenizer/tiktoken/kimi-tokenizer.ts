// spec: Kimi K2.5's tokenization_kimi.py on transformers' PreTrainedTokenizer; tiktoken 0.9
/**
 * The tokenizer of Kimi checkpoints, which ship a tiktoken.model and Python code instead of a
 * tokenizer.json.
 *
 * Contract   synchronous. Added tokens are found first; what lies between is sliced
 *            (text-slices.ts), then the names of reserved tokens are found, then the pattern cuts
 *            pieces.
 * Reports    CheckpointError at creation; InvalidRequestError for a lone surrogate.
 */
import type { AddedToken } from "../added-token.ts";
import { AddedTokenFinder, type FoundToken } from "../byte-level-bpe/added-token-finder.ts";
import { cachedPieceBytesMax, PieceCache } from "../byte-level-bpe/piece-cache.ts";
import { PreTokenizer } from "../byte-level-bpe/pre-tokenizer.ts";
import { translatePattern } from "../byte-level-bpe/split-pattern.ts";
import { decodeTokens } from "../byte-level-bpe/token-decoder.ts";
import { hashBytes, type Vocabulary } from "../byte-level-bpe/vocabulary.ts";
import { CheckpointError } from "../checkpoint-error.ts";
import { requireWellFormed } from "../lone-surrogate.ts";
import type { Tokenizer } from "../tokenizer.ts";
import { RankMerger } from "./rank-merger.ts";
import { textSlices } from "./text-slices.ts";
import { readTiktokenRanks, type TiktokenRanks } from "./tiktoken-ranks.ts";

export interface KimiTokenizerDefinition {
  /** Text of a tiktoken.model. */
  readonly model: string;
  /** Where the text came from, for errors. */
  readonly path: string;
  /** `added_tokens_decoder` of tokenizer_config.json. */
  readonly addedTokens: ReadonlyMap<number, AddedToken>;
  /** Tokens that are special whatever `addedTokens` says. */
  readonly specialTokens: readonly AddedToken[];
}

/** Ids after the last rank that have a name, given or not. */
const reservedTokenCount = 256;

/** UTF-16 code units behind which no more pieces are encoded at once. */
const stepUnits = 2 ** 13;

/** Letters of no Han script: with what may begin and with what may end a word. */
const initials = "[\\p{Lu}\\p{Lt}\\p{Lm}\\p{Lo}\\p{M}&&[^\\p{Han}]]";
const finals = "[\\p{Ll}\\p{Lm}\\p{Lo}\\p{M}&&[^\\p{Han}]]";
const beforeWord = "[^\\r\\n\\p{L}\\p{N}]?";
const contraction = "(?i:'s|'t|'re|'ve|'m|'ll|'d)?";

const piecePattern = [
  "[\\p{Han}]+",
  `${beforeWord}${initials}*${finals}+${contraction}`,
  `${beforeWord}${initials}+${finals}*${contraction}`,
  "\\p{N}{1,3}",
  " ?[^\\s\\p{L}\\p{N}]+[\\r\\n]*",
  "\\s*[\\r\\n]+",
  "\\s+(?!\\S)",
  "\\s+",
].join("|");

/** @throws CheckpointError */
export function createKimiTokenizer(definition: KimiTokenizerDefinition): Tokenizer {
  return new KimiTokenizer(definition, readTiktokenRanks(definition.model, definition.path));
}

class KimiTokenizer implements Tokenizer {
  readonly specialTokenIds: ReadonlySet<number>;
  readonly #vocabulary: Vocabulary;
  /** Ids of the tokens that are not ranked, by name. */
  readonly #named: ReadonlyMap<string, number>;
  readonly #addedFinder: AddedTokenFinder;
  readonly #reservedFinder: AddedTokenFinder;
  readonly #preTokenizer = new PreTokenizer([translatePattern(piecePattern)]);
  readonly #merger: RankMerger;
  readonly #cache = new PieceCache();
  readonly #utf8 = new TextEncoder();
  #bytes = new Uint8Array(2 ** 12);

  constructor(definition: KimiTokenizerDefinition, { vocabulary, tokenCount }: TiktokenRanks) {
    this.#vocabulary = vocabulary;
    this.#merger = new RankMerger(vocabulary);
    const reserved = reservedTokens(definition, tokenCount);
    for (const { token, id } of reserved) {
      vocabulary.addHidden(id, this.#utf8.encode(token.content));
    }
    this.#named = new Map(reserved.map(({ token, id }) => [token.content, id]));
    const added = reserved.filter(({ id }) => definition.addedTokens.has(id));
    this.#addedFinder = new AddedTokenFinder(added);
    this.#reservedFinder = new AddedTokenFinder(reserved);
    const special = added.filter(({ token }) => token.special).map(({ id }) => id);
    for (const { content } of definition.specialTokens) {
      const id = this.#named.get(content);
      if (id !== undefined) special.push(id);
    }
    this.specialTokenIds = new Set(special);
  }

  encode(text: string): number[] {
    requireWellFormed(text);
    const ids: number[] = [];
    const onToken = (id: number): void => {
      ids.push(id);
    };
    const onPlainText = (part: string): void => this.#encodePlain(part, ids);
    const onText = (part: string): void => {
      for (const slice of textSlices(part)) {
        this.#reservedFinder.split(slice, onPlainText, onToken);
      }
    };
    this.#addedFinder.split(text, onText, onToken);
    return ids;
  }

  *encodeInSteps(text: string): Generator<void, number[]> {
    requireWellFormed(text);
    const ids: number[] = [];
    for (const part of this.#addedFinder.parts(text)) {
      if (typeof part === "number") {
        ids.push(part);
        continue;
      }
      for (const slice of textSlices(part)) yield* this.#encodeSliceInSteps(slice, ids);
    }
    return ids;
  }

  decode(ids: readonly number[]): string {
    return decodeTokens(this.#vocabulary, ids);
  }

  tokenId(text: string): number | undefined {
    const named = this.#named.get(text);
    if (named !== undefined) return named;
    const bytes = this.#utf8.encode(text);
    const id = this.#vocabulary.find(bytes, 0, bytes.length, hashBytes(bytes, 0, bytes.length));
    return id < 0 ? undefined : id;
  }

  *#encodeSliceInSteps(slice: string, ids: number[]): Generator<void, void> {
    for (const part of this.#reservedFinder.parts(slice)) {
      if (typeof part === "number") {
        ids.push(part);
        continue;
      }
      for (let start = 0; start < part.length; ) {
        start = this.#encodePlainFrom(part, start, ids);
        yield;
      }
    }
  }

  #encodePlain(text: string, ids: number[]): void {
    for (let start = 0; start < text.length; ) start = this.#encodePlainFrom(text, start, ids);
  }

  /** Encodes some pieces and returns where the next one starts. */
  #encodePlainFrom(text: string, from: number, ids: number[]): number {
    const { ends, count } = this.#preTokenizer.split(text, from, stepUnits);
    let start = from;
    for (let piece = 0; piece < count; piece += 1) {
      const end = ends[piece] as number;
      this.#encodePiece(text.slice(start, end), ids);
      start = end;
    }
    return start;
  }

  #encodePiece(piece: string, ids: number[]): void {
    const bytesMax = 3 * piece.length;
    if (bytesMax > this.#bytes.length) this.#bytes = new Uint8Array(bytesMax);
    const bytes = this.#bytes;
    const { written } = this.#utf8.encodeInto(piece, bytes);
    const hash = hashBytes(bytes, 0, written);
    const isCached = written <= cachedPieceBytesMax;
    if (isCached && this.#cache.append(bytes, 0, written, hash, ids)) return;
    const whole = this.#vocabulary.find(bytes, 0, written, hash);
    const tokens = whole >= 0 ? Int32Array.of(whole) : this.#merger.merge(bytes, 0, written);
    for (const token of tokens) ids.push(token);
    if (isCached) this.#cache.add(bytes, 0, written, hash, tokens, tokens.length);
  }
}

/** The tokens after the ranked ones, with the names that the checkpoint gives them or none. */
function reservedTokens(definition: KimiTokenizerDefinition, tokenCount: number): FoundToken[] {
  const { path, addedTokens } = definition;
  for (const id of addedTokens.keys()) {
    if (id >= tokenCount && id < tokenCount + reservedTokenCount) continue;
    throw new CheckpointError(
      `${path} ends at rank ${tokenCount - 1}, but tokenizer_config.json gives id ${id} a name: ` +
        `expected ids from ${tokenCount} to ${tokenCount + reservedTokenCount - 1}`,
    );
  }
  return Array.from({ length: reservedTokenCount }, (_, offset) => {
    const id = tokenCount + offset;
    return { id, token: addedTokens.get(id) ?? reservedToken(id) };
  });
}

function reservedToken(id: number): AddedToken {
  return {
    content: `<|reserved_token_${id}|>`,
    special: false,
    singleWord: false,
    leftStrip: false,
    rightStrip: false,
    normalized: false,
  };
}
