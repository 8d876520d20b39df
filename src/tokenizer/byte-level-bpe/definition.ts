// spec: tokenizers 0.23, the serialised form of Tokenizer
/**
 * Reads a tokenizer.json for the byte-level BPE tokenizer.
 *
 * Contract   what it returns is all that decides about tokens: normaliser, pre-tokenizer, model and
 *            added tokens. Post-processors only add special tokens, which this server never asks
 *            for, and truncation and padding are for batches of training text.
 * Reports    UnsupportedFeatureError that names the first thing that is not implemented exactly.
 */
import { type AddedToken, parseAddedToken } from "../added-token.ts";
import { isObject, type ParsedObject } from "../tokenizer-config.ts";
import { JsonCursor } from "./json-cursor.ts";
import { type BytePairModel, readBytePairModel } from "./model-reader.ts";
import { literalPattern, translatePattern } from "./split-pattern.ts";
import { requireFeature, UnsupportedFeatureError } from "./unsupported-feature.ts";

export interface ByteLevelDefinition {
  readonly model: BytePairModel;
  readonly addedTokens: readonly AddedToken[];
  /** Text is normalised to NFC. */
  readonly isComposed: boolean;
  /** What pieces are cut by, one after the other. */
  readonly patterns: readonly RegExp[];
}

/** GPT-2's pattern, which the library's ByteLevel splits with unless told otherwise. */
const standardPattern =
  "'s|'t|'re|'ve|'m|'ll|'d| ?\\p{L}+| ?\\p{N}+| ?[^\\s\\p{L}\\p{N}]+|\\s+(?!\\S)|\\s+";

/** Post-processors that leave tokens alone when no special tokens are asked for. */
const harmlessPostProcessors = new Set([
  "ByteLevel",
  "TemplateProcessing",
  "RobertaProcessing",
  "BertProcessing",
]);

/** Everything that the library knows; what else there is may be there to change tokens. */
const knownMembers = new Set([
  ...["version", "truncation", "padding", "added_tokens", "normalizer", "pre_tokenizer"],
  ...["post_processor", "decoder", "model"],
]);

/** @param bytes a tokenizer.json */
export function readByteLevelDefinition(bytes: Uint8Array): ByteLevelDefinition {
  const json = new JsonCursor(bytes);
  const members = new Map<string, unknown>();
  let model: BytePairModel | null = null;
  json.skipSpace();
  json.readObject((name) => {
    requireFeature(knownMembers.has(name), `the member "${name}" of a definition`);
    if (name === "model") model = readBytePairModel(json);
    else members.set(name, json.readValue());
  });
  json.requireEnd();
  // A closure assigns it, which the compiler does not follow.
  const read = model as BytePairModel | null;
  requireFeature(read !== null, "a definition without a model");
  requireFeature((members.get("version") ?? "1.0") === "1.0", "another version than 1.0");
  checkDecoder(members.get("decoder"));
  checkPostProcessor(members.get("post_processor") ?? null);
  return {
    model: read,
    addedTokens: readAddedTokens(members.get("added_tokens") ?? []),
    isComposed: readNormalizer(members.get("normalizer") ?? null),
    patterns: readPreTokenizer(members.get("pre_tokenizer")),
  };
}

function readAddedTokens(value: unknown): AddedToken[] {
  requireFeature(Array.isArray(value), "added tokens that are no list");
  return value.map((entry: unknown, index) => {
    const where = `added_tokens[${index}]`;
    const fields = objectOf(entry, where);
    requireFeature(typeof fields["content"] === "string", `${where} without content`);
    requireFeature(/^\d{1,9}$/.test(JSON.stringify(fields["id"])), `${where} without id`);
    for (const flag of ["single_word", "lstrip", "rstrip", "normalized", "special"]) {
      requireFeature(typeof fields[flag] === "boolean", `${where} without ${flag}`);
    }
    return parseAddedToken(entry, where);
  });
}

/** Whether the normaliser is NFC; none at all is the other one that is known. */
function readNormalizer(value: unknown): boolean {
  if (value === null) return false;
  const normalizer = objectOf(value, "normalizer");
  if (normalizer["type"] === "NFC") return true;
  const parts = normalizer["normalizers"];
  if (normalizer["type"] === "Sequence" && Array.isArray(parts)) {
    return parts.map(readNormalizer).includes(true);
  }
  return unsupportedType("normaliser", normalizer);
}

function readPreTokenizer(value: unknown): RegExp[] {
  const whole = objectOf(value, "pre_tokenizer");
  const parts = whole["type"] === "Sequence" ? whole["pretokenizers"] : [whole];
  requireFeature(Array.isArray(parts), "a pre-tokenizer Sequence without a list");
  const patterns = parts.slice(0, -1).map((part) => readSplit(objectOf(part, "pre_tokenizer")));
  // Behind ByteLevel, text is written in the byte alphabet: it must be the last one.
  const last = objectOf(parts.at(-1), "pre_tokenizer");
  if (last["type"] !== "ByteLevel") return unsupportedType("last pre-tokenizer", last);
  checkByteLevel(last);
  requireFeature(last["add_prefix_space"] === false, "ByteLevel with add_prefix_space");
  return (last["use_regex"] ?? true) ? [...patterns, translatePattern(standardPattern)] : patterns;
}

function readSplit(split: ParsedObject): RegExp {
  if (split["type"] !== "Split") return unsupportedType("pre-tokenizer", split);
  requireFeature(
    split["behavior"] === "Isolated" && split["invert"] === false,
    `a Split that is ${split["behavior"]}${split["invert"] === false ? "" : " and inverted"}`,
  );
  const pattern = objectOf(split["pattern"], "pattern of a Split");
  const [[kind, text] = ["nothing", null], ...others] = Object.entries(pattern);
  requireFeature(typeof text === "string" && others.length === 0, "a Split without pattern");
  if (kind === "Regex") return translatePattern(text);
  if (kind === "String") return literalPattern(text);
  throw new UnsupportedFeatureError(`a Split by ${kind}`);
}

function checkDecoder(value: unknown): void {
  const decoder = objectOf(value, "decoder");
  if (decoder["type"] !== "ByteLevel") unsupportedType("decoder", decoder);
  checkByteLevel(decoder);
}

function checkByteLevel(part: ParsedObject): void {
  for (const flag of ["add_prefix_space", "trim_offsets", "use_regex"]) {
    const value = flag === "use_regex" ? (part[flag] ?? true) : part[flag];
    requireFeature(typeof value === "boolean", `ByteLevel with ${flag} = ${JSON.stringify(value)}`);
  }
}

function checkPostProcessor(value: unknown): void {
  if (value === null) return;
  const processor = objectOf(value, "post_processor");
  const parts = processor["processors"];
  if (processor["type"] === "Sequence" && Array.isArray(parts)) {
    for (const part of parts) checkPostProcessor(part);
    return;
  }
  const isHarmless = harmlessPostProcessors.has(String(processor["type"]));
  if (!isHarmless) unsupportedType("post-processor", processor);
  if (processor["type"] === "ByteLevel") checkByteLevel(processor);
}

function objectOf(value: unknown, where: string): ParsedObject {
  requireFeature(isObject(value), `${where} that is no object`);
  return value;
}

function unsupportedType(what: string, { type }: ParsedObject): never {
  throw new UnsupportedFeatureError(`a ${what} of type ${JSON.stringify(type)}`);
}
