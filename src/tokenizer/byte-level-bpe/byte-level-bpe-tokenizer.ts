/**
 * A byte-level BPE tokenizer in this process: the ids of HuggingFace's Rust library at ten times
 * its speed, in a fraction of its memory and without loading it.
 *
 * Contract   synchronous; takes only definitions of which it implements every feature exactly, and
 *            names the first other one.
 * Reports    UnsupportedFeatureError at creation; InvalidRequestError for a lone surrogate.
 * Not here   which tokenizer is used for a definition: choose-tokenizer.ts.
 */
import type { AddedToken } from "../added-token.ts";
import { requireWellFormed } from "../lone-surrogate.ts";
import type { Tokenizer } from "../tokenizer.ts";
import { AddedTokenFinder } from "./added-token-finder.ts";
import { AddedVocabulary } from "./added-vocabulary.ts";
import { bytesOfCharacters } from "./byte-alphabet.ts";
import { CanonicalComposition } from "./canonical-composition.ts";
import { type ByteLevelDefinition, readByteLevelDefinition } from "./definition.ts";
import { PieceEncoder } from "./piece-encoder.ts";
import { PreTokenizer } from "./pre-tokenizer.ts";
import { decodeTokens } from "./token-decoder.ts";
import { requireFeature } from "./unsupported-feature.ts";
import { hashBytes, type Vocabulary } from "./vocabulary.ts";

/** What a checkpoint says about its tokenizer beyond tokenizer.json. */
export interface TokenOverrides {
  /** Overrides of the definition's added tokens, in order. */
  readonly addedTokens: readonly AddedToken[];
  /** Tokens that are special whatever the definition says; made when they are not there. */
  readonly specialTokens: readonly AddedToken[];
}

/**
 * @param json a tokenizer.json
 * @throws UnsupportedFeatureError whose message names the first feature that is not implemented
 */
export function createByteLevelBpeTokenizer(
  json: Uint8Array,
  overrides: TokenOverrides,
): Tokenizer {
  return new ByteLevelBpeTokenizer(readByteLevelDefinition(json), overrides);
}

class ByteLevelBpeTokenizer implements Tokenizer {
  readonly specialTokenIds: ReadonlySet<number>;
  readonly #vocabulary: Vocabulary;
  readonly #otherTokens: ReadonlyMap<string, number>;
  readonly #added: AddedVocabulary;
  /** Finds added tokens in the text as it stands. */
  readonly #rawFinder: AddedTokenFinder;
  readonly #composition: CanonicalComposition | null;
  /** Finds those that are looked for in normalised text. */
  readonly #normalizedFinder: AddedTokenFinder;
  readonly #pieces: PieceEncoder;

  constructor(definition: ByteLevelDefinition, overrides: TokenOverrides) {
    const { model, patterns, isComposed } = definition;
    this.#vocabulary = model.vocabulary;
    this.#otherTokens = model.otherTokens;
    this.#composition = isComposed ? new CanonicalComposition() : null;
    this.#added = new AddedVocabulary(model.tokenCount, (text) => this.#modelTokenId(text));
    this.#added.add(definition.addedTokens);
    this.#added.add(overrides.addedTokens);
    const isNew = ({ content }: AddedToken): boolean => this.#added.get(content) === undefined;
    this.#added.add(overrides.specialTokens.filter(isNew));
    const tokens = this.#added.tokens;
    for (const { token, id } of tokens) this.#addBytes(token, id);
    this.#rawFinder = new AddedTokenFinder(tokens.filter(({ token }) => !token.normalized));
    this.#normalizedFinder = new AddedTokenFinder(tokens.filter(({ token }) => token.normalized));
    this.#pieces = new PieceEncoder(model, new PreTokenizer(patterns));
    const special = new Set(overrides.specialTokens.map(({ content }) => content));
    const isSpecial = (token: AddedToken): boolean => token.special || special.has(token.content);
    this.specialTokenIds = new Set(
      tokens.filter(({ token }) => isSpecial(token)).map(({ id }) => id),
    );
  }

  encode(text: string): number[] {
    requireWellFormed(text);
    const ids: number[] = [];
    const onToken = (id: number): void => {
      ids.push(id);
    };
    const onNormalizedText = (part: string): void => this.#pieces.encode(part, ids);
    const onText = (part: string): void => {
      const normalized = this.#composition?.normalize(part) ?? part;
      this.#normalizedFinder.split(normalized, onNormalizedText, onToken);
    };
    this.#rawFinder.split(text, onText, onToken);
    return ids;
  }

  *encodeInSteps(text: string): Generator<void, number[]> {
    requireWellFormed(text);
    const ids: number[] = [];
    for (const part of this.#rawFinder.parts(text)) {
      if (typeof part === "number") {
        ids.push(part);
        continue;
      }
      const normalized = this.#composition?.normalize(part) ?? part;
      for (const inner of this.#normalizedFinder.parts(normalized)) {
        if (typeof inner === "number") ids.push(inner);
        else yield* this.#pieces.encodeInSteps(inner, ids);
      }
    }
    return ids;
  }

  decode(ids: readonly number[]): string {
    return decodeTokens(this.#vocabulary, ids);
  }

  tokenId(text: string): number | undefined {
    return this.#added.get(text)?.id ?? this.#modelTokenId(text);
  }

  /** Id of a token of the model, spelled as in its vocabulary. */
  #modelTokenId(text: string): number | undefined {
    const bytes = bytesOfCharacters(text);
    if (bytes === null) return this.#otherTokens.get(text);
    const id = this.#vocabulary.find(bytes, 0, bytes.length, hashBytes(bytes, 0, bytes.length));
    return id < 0 ? undefined : id;
  }

  /** Makes an added token that the model does not have decode to its text. */
  #addBytes(token: AddedToken, id: number): void {
    const { content } = token;
    const isComposed = (this.#composition?.normalize(content) ?? content) === content;
    requireFeature(!token.normalized || isComposed, `the added token "${content}" is not in NFC`);
    if (this.#vocabulary.start(id) >= 0) return;
    // The library decodes added tokens like others: what is of the byte alphabet stands for bytes.
    const bytes = bytesOfCharacters(content) ?? new TextEncoder().encode(content);
    this.#vocabulary.addHidden(id, bytes);
  }
}
