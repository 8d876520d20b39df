/**
 * Loads what a session server needs of a HuggingFace checkpoint: tokenizer, chat template, special
 * tokens and model type. Weights are never touched.
 *
 * Contract   chat_template.jinja (and additional_chat_templates/) replaces what
 *            tokenizer_config.json holds, as in transformers 5; a template given by path replaces
 *            both.
 * Reports    CheckpointError that names the path and what was expected there.
 * Not here   downloads: the directory is local.
 */
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { type ChatTemplate, compileChatTemplate } from "../chat-template/chat-template.ts";
import type { TokenizerPreference } from "../config.ts";
import { errorText } from "../errors.ts";
import { CheckpointError } from "./checkpoint-error.ts";
import { chooseTokenizer, type TokenizerChoice } from "./choose-tokenizer.ts";
import {
  demoChatTemplate,
  demoCheckpointName,
  demoSpecialTokens,
  demoTokenizerDefinition,
} from "./demo-checkpoint.ts";
import { createKimiTokenizer } from "./tiktoken/kimi-tokenizer.ts";
import type { Tokenizer } from "./tokenizer.ts";
import {
  isObject,
  type ParsedObject,
  parseTokenizerConfig,
  type TokenizerConfig,
} from "./tokenizer-config.ts";

export interface Checkpoint {
  /** The directory as given, or "demo". */
  readonly name: string;
  readonly tokenizer: Tokenizer;
  /** What encodes and decodes; "tiktoken" for checkpoints without a tokenizer.json. */
  readonly tokenizerEngine: TokenizerEngine;
  /** Why the fast engine is not the one, although it was wanted; null when it is. */
  readonly tokenizerUnsupported: string | null;
  /** null when the checkpoint has no template, which some model types do without. */
  readonly chatTemplate: ChatTemplate | null;
  /** Takes the place of `chatTemplate` when a request has tools; null when there is no such one. */
  readonly toolChatTemplate: ChatTemplate | null;
  /** The template was given by path and is not the checkpoint's own. */
  readonly hasCustomChatTemplate: boolean;
  /** Template variables: bos_token, eos_token, ... */
  readonly specialTokens: ReadonlyMap<string, string>;
  /** Ids of a line feed, which several templates write between messages. */
  readonly lineFeedTokens: readonly number[];
  /** `model_type` of config.json. */
  readonly modelType: string | null;
  /** What the tokenizer class of the checkpoint makes of tools and defaults before it renders. */
  readonly rendering: RenderingConvention;
}

/** "transformers" as it is; "kimi" sorts tools and declares them as TypeScript as well. */
export type RenderingConvention = "transformers" | "kimi";

export type TokenizerEngine = TokenizerChoice["engine"] | "tiktoken";

export interface CheckpointOptions {
  /** A Jinja file that replaces the checkpoint's chat templates. */
  readonly chatTemplatePath: string | null;
  /** Which engine to use for a tokenizer.json; "auto" when absent. */
  readonly tokenizer?: TokenizerPreference;
}

/**
 * @param directory of a HuggingFace checkpoint; null means the bundled demo checkpoint
 * @throws CheckpointError
 */
export async function loadCheckpoint(
  directory: string | null,
  options: CheckpointOptions,
): Promise<Checkpoint> {
  const { chatTemplatePath } = options;
  const custom = chatTemplatePath === null ? null : readCustomTemplate(chatTemplatePath);
  const preference = options.tokenizer ?? "auto";
  const files =
    directory === null ? await demoFiles(preference) : await readDirectory(directory, preference);
  const templates = custom === null ? files.chatTemplates : new Map([["default", custom]]);
  return {
    name: files.name,
    tokenizer: files.tokenizer,
    tokenizerEngine: files.tokenizerEngine,
    tokenizerUnsupported: files.tokenizerUnsupported,
    chatTemplate: compile(templates, "default", files.name, chatTemplatePath),
    toolChatTemplate: compile(templates, "tool_use", files.name, chatTemplatePath),
    hasCustomChatTemplate: custom !== null,
    specialTokens: files.specialTokens,
    lineFeedTokens: await files.tokenizer.encode("\n"),
    modelType: files.modelType,
    rendering: files.rendering,
  };
}

type LoadedTokenizer = Pick<
  Checkpoint,
  "tokenizer" | "tokenizerEngine" | "tokenizerUnsupported" | "rendering"
>;

interface CheckpointFiles extends LoadedTokenizer {
  readonly name: string;
  readonly chatTemplates: ReadonlyMap<string, string>;
  readonly specialTokens: ReadonlyMap<string, string>;
  readonly modelType: string | null;
}

async function demoFiles(preference: TokenizerPreference): Promise<CheckpointFiles> {
  const definition = demoTokenizerDefinition();
  const json = new TextEncoder().encode(definition.json);
  return {
    name: demoCheckpointName,
    ...loaded(await chooseTokenizer({ ...definition, json }, preference)),
    chatTemplates: new Map([["default", demoChatTemplate]]),
    specialTokens: demoSpecialTokens,
    modelType: null,
  };
}

function loaded({ tokenizer, engine, unsupported }: TokenizerChoice): LoadedTokenizer {
  return {
    tokenizer,
    tokenizerEngine: engine,
    tokenizerUnsupported: unsupported,
    rendering: "transformers",
  };
}

async function readDirectory(
  directory: string,
  preference: TokenizerPreference,
): Promise<CheckpointFiles> {
  if (!statSync(directory, { throwIfNoEntry: false })?.isDirectory()) {
    throw new CheckpointError(
      `${directory} is not a directory: expected a HuggingFace checkpoint with tokenizer.json`,
    );
  }
  const configPath = join(directory, "tokenizer_config.json");
  const config = parseTokenizerConfig(
    readObject(configPath) ?? {},
    readObject(join(directory, "special_tokens_map.json")),
    configPath,
  );
  const named = [...config.namedTokens];
  const templateFiles = readTemplateFiles(directory);
  return {
    name: directory,
    ...(await readTokenizer(directory, config, preference)),
    chatTemplates: templateFiles.size > 0 ? templateFiles : config.chatTemplates,
    specialTokens: new Map(named.map(([name, token]) => [name, token.content])),
    modelType: readModelType(join(directory, "config.json")),
  };
}

async function readTokenizer(
  directory: string,
  config: TokenizerConfig,
  preference: TokenizerPreference,
): Promise<LoadedTokenizer> {
  const specialTokens = [...config.namedTokens.values(), ...config.extraTokens];
  const path = join(directory, "tokenizer.json");
  const tiktokenPath = join(directory, "tiktoken.model");
  const json = readBytes(path);
  const model = json === null ? readText(tiktokenPath) : null;
  if (model !== null) {
    const { addedTokens } = config;
    const definition = { model, path: tiktokenPath, addedTokens, specialTokens };
    return {
      tokenizer: createKimiTokenizer(definition),
      tokenizerEngine: "tiktoken",
      tokenizerUnsupported: null,
      rendering: "kimi",
    };
  }
  if (json === null) throw missing(path, "a tokenizer of HuggingFace's tokenizers library");
  const source = {
    json,
    path,
    addedTokens: [...config.addedTokens.values()],
    specialTokens,
    cleanUpTokenizationSpaces: config.cleanUpTokenizationSpaces,
  };
  return loaded(await chooseTokenizer(source, preference));
}

function readTemplateFiles(directory: string): Map<string, string> {
  const templates = new Map<string, string>();
  const single = readText(join(directory, "chat_template.jinja"));
  if (single !== null) templates.set("default", single);
  const more = join(directory, "additional_chat_templates");
  if (!statSync(more, { throwIfNoEntry: false })?.isDirectory()) return templates;
  for (const name of readdirSync(more).sort()) {
    if (!name.endsWith(".jinja")) continue;
    templates.set(name.slice(0, -".jinja".length), requireText(join(more, name), "a Jinja file"));
  }
  return templates;
}

function readModelType(path: string): string | null {
  const modelType = readObject(path)?.["model_type"];
  return typeof modelType === "string" ? modelType : null;
}

function readCustomTemplate(path: string): string {
  try {
    return requireText(path, "a Jinja file");
  } catch (error) {
    throw new CheckpointError(errorText(error), { cause: error, setting: "chatTemplatePath" });
  }
}

function compile(
  templates: ReadonlyMap<string, string>,
  name: string,
  checkpointName: string,
  customPath: string | null,
): ChatTemplate | null {
  const source = templates.get(name);
  if (source === undefined) return null;
  try {
    // Clients read the template's name in errors: it tells no path of this machine.
    return compileChatTemplate(source, `chat_template "${name}"`);
  } catch (error) {
    throw new CheckpointError(
      `${customPath ?? checkpointName}: the chat template "${name}" does not compile: ` +
        errorText(error),
      {
        cause: error,
        setting: customPath === null ? "hfCheckpoint" : "chatTemplatePath",
        expected: "a Jinja template with the tags and filters of transformers",
      },
    );
  }
}

/** The object in a JSON file; null when there is no such file. */
function readObject(path: string): ParsedObject | null {
  const text = readText(path);
  if (text === null) return null;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new CheckpointError(`${path} is not JSON: ${errorText(error)}`, { cause: error });
  }
  if (!isObject(value)) throw new CheckpointError(`${path} must hold a JSON object`);
  return value;
}

function requireText(path: string, expected: string): string {
  const text = readText(path);
  if (text === null) throw missing(path, expected);
  return text;
}

function missing(path: string, expected: string): CheckpointError {
  return new CheckpointError(`${path} does not exist: expected ${expected}`);
}

/** null when there is no such file; any other trouble is a CheckpointError. */
function readText(path: string): string | null {
  return readBytes(path)?.toString("utf8") ?? null;
}

/** null when there is no such file; any other trouble is a CheckpointError. */
function readBytes(path: string): Buffer | null {
  try {
    return readFileSync(path);
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : null;
    if (code === "ENOENT") return null;
    throw new CheckpointError(`${path} cannot be read: ${errorText(error)}`, { cause: error });
  }
}
