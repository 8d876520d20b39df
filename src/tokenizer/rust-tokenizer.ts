/**
 * A tokenizer on HuggingFace's Rust library, through its N-API binding: exact by construction.
 *
 * Contract   encoding runs on the library's threads, so a long text does not block the event loop;
 *            several texts at a time use several cores.
 * Reports    CheckpointError when the library refuses the definition; InvalidRequestError for a
 *            lone surrogate, which has no UTF-8 form (the library would put U+FFFD in its place).
 * Limits     encoding a text takes about 300 bytes a token for a moment (offsets and token texts,
 *            which the library always builds), and cutting a long one's memory free takes the event
 *            loop a quarter of a millisecond per thousand tokens.
 * Not here   what a definition says about the checkpoint: checkpoint.ts.
 */
import {
  type Encoding,
  AddedToken as RustAddedToken,
  Tokenizer as RustLibraryTokenizer,
} from "tokenizers";
import { errorText } from "../errors.ts";
import { type AddedToken, parseAddedToken, sameAddedToken } from "./added-token.ts";
import { CheckpointError } from "./checkpoint-error.ts";
import { jsonMember } from "./json-member.ts";
import { requireWellFormed } from "./lone-surrogate.ts";
import type { Tokenizer } from "./tokenizer.ts";

export interface TokenizerDefinition {
  /** Text of a tokenizer.json. */
  readonly json: string;
  /** Where the text came from, for errors. */
  readonly path: string;
  /** Overrides of the definition's added tokens, in order. */
  readonly addedTokens: readonly AddedToken[];
  /** Tokens that are special whatever the definition says; made when they are not there. */
  readonly specialTokens: readonly AddedToken[];
  /** transformers' setting of that name; ignored for BPE, where transformers ignores it too. */
  readonly cleanUpTokenizationSpaces: boolean;
}

/** Tokens up to which the garbage collector keeps up with the memory of encodings. */
const releasedTokensMin = 4_096;

/** @throws CheckpointError */
export function createRustTokenizer(definition: TokenizerDefinition): Tokenizer {
  return new RustTokenizer(definition);
}

class RustTokenizer implements Tokenizer {
  readonly specialTokenIds: ReadonlySet<number>;
  readonly #library: RustLibraryTokenizer;

  constructor(definition: TokenizerDefinition) {
    this.#library = loadLibraryTokenizer(definition);
    if (definition.cleanUpTokenizationSpaces) refuseCleanUp(definition);
    const known = new Map(definedTokens(definition).map((token) => [token.content, token]));
    this.#add(definition.addedTokens, known);
    const unknown = definition.specialTokens.filter((token) => !known.has(token.content));
    this.#add(unknown, known);
    const marked = [...known.values()].filter((token) => token.special);
    this.specialTokenIds = this.#ids([...marked, ...definition.specialTokens]);
  }

  async encode(text: string): Promise<number[]> {
    if (text === "") return [];
    requireWellFormed(text);
    const encoding = await this.#library.encode(text, null, { addSpecialTokens: false });
    const ids = encoding.getIds();
    if (ids.length > releasedTokensMin) release(encoding, ids.length);
    return ids;
  }

  decode(ids: readonly number[]): Promise<string> {
    // The binding only reads the list; its type does not say so.
    return this.#library.decode(ids as number[], false);
  }

  tokenId(text: string): number | undefined {
    return this.#library.tokenToId(text) ?? undefined;
  }

  /** A token with the text of a known one keeps its id and takes over the new settings. */
  #add(tokens: readonly AddedToken[], known: Map<string, AddedToken>): void {
    const added: RustAddedToken[] = [];
    for (const token of tokens) {
      const previous = known.get(token.content);
      if (token.content === "" || (previous && sameAddedToken(previous, token))) continue;
      known.set(token.content, token);
      added.push(new RustAddedToken(token.content, token.special, token));
    }
    if (added.length > 0) this.#library.addAddedTokens(added);
  }

  #ids(tokens: readonly AddedToken[]): Set<number> {
    const ids = new Set<number>();
    for (const { content } of tokens) {
      const id = this.tokenId(content);
      if (id !== undefined) ids.add(id);
    }
    return ids;
  }
}

/**
 * Frees what an encoding holds beyond its ids. The garbage collector does not see that memory, so
 * left to it a server that tokenizes long texts grew by gigabytes.
 *
 * The binding cannot drop an encoding, but truncating one keeps only its head and the pieces cut
 * from that: the first call moves the bulk into pieces, the second call forgets these.
 */
function release(encoding: Encoding, length: number): void {
  encoding.truncate(Math.ceil(Math.sqrt(length)));
  encoding.truncate(1);
}

function loadLibraryTokenizer({ json, path }: TokenizerDefinition): RustLibraryTokenizer {
  try {
    const library = RustLibraryTokenizer.fromString(json);
    // Settings for batches of training text, which a checkpoint may have left in its definition.
    library.disableTruncation();
    library.disablePadding();
    return library;
  } catch (error) {
    throw new CheckpointError(`${path} is no tokenizer definition: ${errorText(error)}`, {
      cause: error,
    });
  }
}

/** The added tokens as the definition has them; the library does not list them. */
function definedTokens({ json, path }: TokenizerDefinition): AddedToken[] {
  const tokens: unknown = JSON.parse(jsonMember(json, ["added_tokens"]) ?? "[]");
  if (!Array.isArray(tokens)) throw new CheckpointError(`${path}: added_tokens must be a list`);
  return tokens.map((token, index) => parseAddedToken(token, `${path}: added_tokens[${index}]`));
}

/** transformers would change what such a model decodes to. */
function refuseCleanUp({ json, path }: TokenizerDefinition): void {
  const modelType = JSON.parse(jsonMember(json, ["model", "type"]) ?? '"BPE"');
  if (modelType === "BPE") return;
  throw new CheckpointError(
    `${path}: clean_up_tokenization_spaces is not supported for a ${modelType} model`,
  );
}
