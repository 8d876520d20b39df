// spec: transformers 5, PreTrainedTokenizerBase.from_pretrained and TokenizersBackend.__init__
/**
 * What tokenizer_config.json (and, for older checkpoints, special_tokens_map.json) says beyond
 * tokenizer.json: the named special tokens, more special tokens, and chat templates.
 *
 * Contract   pure: parsed JSON in, facts out. A value of a kind that transformers would refuse is a
 *            CheckpointError that names the file and the field.
 * Not here   files (checkpoint.ts).
 */
import { type AddedToken, parseAddedToken, specialToken } from "./added-token.ts";
import { CheckpointError } from "./checkpoint-error.ts";

export type ParsedObject = Readonly<Record<string, unknown>>;

export interface TokenizerConfig {
  /** bos_token, eos_token, ...: template variables by name. */
  readonly namedTokens: ReadonlyMap<string, AddedToken>;
  /** Special tokens without a name. */
  readonly extraTokens: readonly AddedToken[];
  /** Overrides of tokenizer.json's added tokens by id, in the order of their ids. */
  readonly addedTokens: ReadonlyMap<number, AddedToken>;
  /** Template texts by name; a single template is "default". */
  readonly chatTemplates: ReadonlyMap<string, string>;
  readonly cleanUpTokenizationSpaces: boolean;
}

/**
 * The names that transformers gives to special tokens, in its order; others end in "_token" too.
 */
const standardNames = [
  "bos_token",
  "eos_token",
  "unk_token",
  "sep_token",
  "pad_token",
  "cls_token",
  "mask_token",
];

/**
 * @param config tokenizer_config.json
 * @param specialTokensMap special_tokens_map.json, or null; only read when the config has no
 *   added_tokens_decoder, as in transformers
 * @param path of tokenizer_config.json, for errors
 */
export function parseTokenizerConfig(
  config: ParsedObject,
  specialTokensMap: ParsedObject | null,
  path: string,
): TokenizerConfig {
  const decoder = config["added_tokens_decoder"];
  const fields = decoder === undefined ? { ...config, ...specialTokensMap } : config;
  const extra = fields["extra_special_tokens"] ?? fields["additional_special_tokens"] ?? [];
  const extraIsNamed = isObject(extra);
  if (!extraIsNamed && !Array.isArray(extra)) {
    throw new CheckpointError(`${path}: extra_special_tokens must be a list or an object`);
  }
  return {
    namedTokens: namedTokens(extraIsNamed ? { ...fields, ...extra } : fields, extra, path),
    extraTokens: extraIsNamed
      ? []
      : extra.map((token, index) => parseToken(token, `${path}: extra_special_tokens[${index}]`)),
    addedTokens: decoder === undefined ? new Map() : parseDecoder(decoder, path),
    chatTemplates: parseChatTemplates(config["chat_template"], path),
    cleanUpTokenizationSpaces: config["clean_up_tokenization_spaces"] === true,
  };
}

function namedTokens(fields: ParsedObject, extra: unknown, path: string): Map<string, AddedToken> {
  const named = new Map<string, AddedToken>();
  const ownNames = isObject(extra) ? Object.keys(extra) : [];
  const suffixed = Object.keys(fields).filter((name) => name.endsWith("_token"));
  for (const name of new Set([...standardNames, ...suffixed, ...ownNames])) {
    const value = fields[name];
    const isToken = typeof value === "string" || isObject(value);
    // "add_bos_token": true ends in "_token" as well.
    if (isToken) named.set(name, parseToken(value, `${path}: ${name}`));
  }
  return named;
}

function parseToken(value: unknown, where: string): AddedToken {
  if (typeof value === "string") return specialToken(value);
  return { ...parseAddedToken(value, where), special: true };
}

function parseDecoder(decoder: unknown, path: string): Map<number, AddedToken> {
  const where = `${path}: added_tokens_decoder`;
  if (!isObject(decoder)) throw new CheckpointError(`${where} must be an object`);
  const entries = Object.entries(decoder)
    .map(([id, token]) => [Number(id), parseAddedToken(token, `${where}["${id}"]`)] as const)
    .sort(([left], [right]) => left - right);
  return new Map(entries);
}

function parseChatTemplates(value: unknown, path: string): Map<string, string> {
  if (value === undefined || value === null) return new Map();
  if (typeof value === "string") return new Map([["default", value]]);
  if (!Array.isArray(value)) {
    throw new CheckpointError(`${path}: chat_template must be a string or a list of templates`);
  }
  const templates = new Map<string, string>();
  for (const [index, entry] of value.entries()) {
    const { name, template }: ParsedObject = isObject(entry) ? entry : {};
    if (typeof name !== "string" || typeof template !== "string") {
      throw new CheckpointError(
        `${path}: chat_template[${index}] must be an object with the strings "name" and "template"`,
      );
    }
    templates.set(name, template);
  }
  return templates;
}

export function isObject(value: unknown): value is ParsedObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
