/**
 * Added tokens and their ids, as they are given by a definition and by what overrides it.
 *
 * Contract   a token whose text the model or an earlier added token has takes over that id, and the
 *            settings of the later one count; a new text takes the next free id, as in the Rust
 *            library's AddedVocabulary.
 * Reports    UnsupportedFeatureError for settings that are not implemented exactly.
 */
import { type AddedToken, sameAddedToken } from "../added-token.ts";
import type { FoundToken } from "./added-token-finder.ts";
import { requireFeature } from "./unsupported-feature.ts";

export class AddedVocabulary {
  readonly #tokens = new Map<string, FoundToken>();
  readonly #modelTokenCount: number;
  readonly #modelTokenId: (text: string) => number | undefined;

  constructor(modelTokenCount: number, modelTokenId: (text: string) => number | undefined) {
    this.#modelTokenCount = modelTokenCount;
    this.#modelTokenId = modelTokenId;
  }

  /** All tokens, in the order in which their texts were first given. */
  get tokens(): readonly FoundToken[] {
    return [...this.#tokens.values()];
  }

  get(text: string): FoundToken | undefined {
    return this.#tokens.get(text);
  }

  /** Adds tokens that were given together: the first free id is looked for once. */
  add(tokens: readonly AddedToken[]): void {
    let nextId = this.#modelTokenCount;
    for (const { id } of this.#tokens.values()) nextId = Math.max(nextId, id + 1);
    for (const token of tokens) {
      const known = this.#tokens.get(token.content);
      if (token.content === "" || (known && sameAddedToken(known.token, token))) continue;
      requireFeature(!token.singleWord, `the added token "${token.content}" with single_word`);
      requireFeature(token.content.isWellFormed(), "an added token with a lone surrogate");
      const id = known?.id ?? this.#modelTokenId(token.content) ?? nextId++;
      this.#tokens.set(token.content, { token, id });
    }
  }
}
