// spec: miles, chat_template_utils/tito_tokenizer.py
/**
 * Token in, token out: prompts of a session whose earlier ids are kept as they were sampled.
 *
 * The first turn is rendered and tokenized whole. Every later one only tokenizes what was appended:
 * the run is rendered after a short dummy conversation that ends with the stored assistant's tool
 * calls, the dummy's own render is cut off, and the rest is joined to the stored ids by the
 * family's boundary rule.
 *
 * Contract   stateless and safe to share; work of `appendTokens` does not grow with the history.
 * Reports    UsageError at creation, when family, checkpoint and kwargs do not fit; afterwards
 *            InvalidRequestError for all that makes a render impossible.
 * Not here   which messages are appended: trajectory/.
 */
import { compileChatTemplate } from "../chat-template/chat-template.ts";
import type { TitoFamily } from "../config.ts";
import { InvalidRequestError } from "../errors.ts";
import { runInSteps } from "../event-loop.ts";
import type { JsonObject, JsonValue } from "../json/values.ts";
import type { Checkpoint } from "../tokenizer/checkpoint.ts";
import { CheckpointError } from "../tokenizer/checkpoint-error.ts";
import type { Tokenizer } from "../tokenizer/tokenizer.ts";
import { UsageError } from "../usage-error.ts";
import type { ChatRenderer } from "./chat-renderer.ts";
import { deepseekV4Renderer, deepseekV32Renderer } from "./deepseek/renderer.ts";
import { familyDefinitions } from "./families.ts";
import type { TitoFamilyDefinition } from "./family.ts";
import { type FamilyTokens, resolveFamilyTokens } from "./family-tokens.ts";
import { createJinjaRenderer } from "./jinja-renderer.ts";
import { RenderError, renderForClient } from "./render-error.ts";
import { familyKwargs, mergeKwargs } from "./template-kwargs.ts";
import {
  compareTokenSequences,
  type Mismatch,
  type TokenSequence,
} from "./token-sequence-comparator.ts";

/** What follows a stored prefix: leave out its last `dropLast` ids, then add `tokens`. */
export interface AppendedTokens {
  readonly dropLast: number;
  readonly tokens: number[];
}

export interface PromptOptions {
  readonly addGenerationPrompt: boolean;
  /** Tokenizes in turns with the rest of the process: of a long text, when nobody waits for it. */
  readonly inSteps?: boolean;
}

export interface TitoTokenizer {
  /** Roles of messages that may follow a generated turn. */
  readonly allowedAppendRoles: ReadonlySet<string>;
  /** The most ids that `appendTokens` drops. */
  readonly maxTrimTokens: number;
  /** What prompts are rendered with and what the backend must be told. */
  readonly chatTemplateKwargs: JsonObject;

  /** The same tokenizer with a request's chat_template_kwargs; costs next to nothing. */
  withRequestKwargs(kwargs: JsonObject): TitoTokenizer;

  /** @param tools as the client sent them; null when there are none */
  renderPrompt(
    messages: readonly JsonObject[],
    tools: JsonValue,
    options: PromptOptions,
  ): Promise<number[]>;

  /**
   * The ids that a prompt adds to the stored ids of a generated turn, generation prompt included.
   *
   * @param stored messages of the stored prefix; the last one is the generated turn
   * @param prefixLastToken last id of the stored prefix
   */
  appendTokens(
    stored: readonly JsonObject[],
    appended: readonly JsonObject[],
    prefixLastToken: number | undefined,
    tools: JsonValue,
  ): Promise<AppendedTokens>;

  /** How `actual` ids differ from `expected` ones: for the account of a session, not an error. */
  compare(expected: TokenSequence, actual: TokenSequence): Promise<Mismatch[]>;
}

export interface TitoTokenizerOptions {
  readonly family: TitoFamily;
  readonly checkpoint: Checkpoint;
  /** Configured for every request. */
  readonly chatTemplateKwargs: JsonObject;
}

/**
 * @throws CheckpointError when the checkpoint lacks what the family needs
 * @throws UsageError when the configured kwargs contradict the family
 */
export function createTitoTokenizer(options: TitoTokenizerOptions): TitoTokenizer {
  const definition = familyDefinitions[options.family];
  const parts: Parts = {
    definition,
    tokenizer: options.checkpoint.tokenizer,
    renderer: chooseRenderer(options, definition),
    tokens: resolveFamilyTokens(definition, options.family, options.checkpoint),
  };
  try {
    return new FamilyTokenizer(parts, options.chatTemplateKwargs);
  } catch (error) {
    if (!(error instanceof InvalidRequestError)) throw error;
    const problem = error.message;
    const expected = `variables that the family ${options.family} leaves open`;
    const fault = { setting: "chatTemplateKwargs", problem, expected } as const;
    throw new UsageError(problem, { cause: error, fault });
  }
}

/** Renderers of the model types that ship an encoder and no chat template. */
const encoders: ReadonlyMap<string, ChatRenderer> = new Map([
  ["deepseek_v32", deepseekV32Renderer],
  ["deepseek_v4", deepseekV4Renderer],
]);

function chooseRenderer(
  { family, checkpoint }: TitoTokenizerOptions,
  definition: TitoFamilyDefinition,
): ChatRenderer {
  if (checkpoint.hasCustomChatTemplate && family !== "default") {
    throw new CheckpointError(
      `a chat template cannot be given for the TITO family "${family}", which registers how it ` +
        'is rendered: use the family "default" for a template of your own',
      { setting: "chatTemplatePath", relation: { kind: "conflicts with", other: "titoModel" } },
    );
  }
  const encoder = encoders.get(checkpoint.modelType ?? "");
  if (encoder !== undefined) return encoder;
  const fixed = definition.fixedTemplate;
  if (fixed !== null) {
    return createJinjaRenderer({
      template: compileChatTemplate(fixed, `${family} (fixed)`),
      toolTemplate: null,
      specialTokens: checkpoint.specialTokens,
      convention: checkpoint.rendering,
    });
  }
  const { chatTemplate, toolChatTemplate, specialTokens, rendering } = checkpoint;
  if (chatTemplate === null) {
    throw new CheckpointError(
      `checkpoint ${checkpoint.name} has no chat template: expected chat_template.jinja or ` +
        "chat_template in tokenizer_config.json, or a config.json whose model_type is " +
        [...encoders.keys()].join(" or "),
    );
  }
  return createJinjaRenderer({
    template: chatTemplate,
    toolTemplate: toolChatTemplate,
    specialTokens,
    convention: rendering,
  });
}

interface Parts {
  readonly definition: TitoFamilyDefinition;
  readonly tokenizer: Tokenizer;
  readonly renderer: ChatRenderer;
  readonly tokens: FamilyTokens;
}

class FamilyTokenizer implements TitoTokenizer {
  readonly allowedAppendRoles: ReadonlySet<string>;
  readonly maxTrimTokens: number;
  readonly chatTemplateKwargs: JsonObject;
  readonly #parts: Parts;

  constructor(parts: Parts, chatTemplateKwargs: JsonObject) {
    this.#parts = parts;
    this.allowedAppendRoles = parts.definition.allowedAppendRoles;
    this.maxTrimTokens = parts.tokens.maxTrimTokens;
    this.chatTemplateKwargs = familyKwargs(parts.definition, chatTemplateKwargs);
    try {
      parts.renderer.validateKwargs(this.chatTemplateKwargs);
    } catch (error) {
      if (!(error instanceof RenderError)) throw error;
      throw new InvalidRequestError(error.message, { cause: error });
    }
  }

  withRequestKwargs(kwargs: JsonObject): TitoTokenizer {
    const aliases = this.#parts.definition.kwargAliases;
    return new FamilyTokenizer(this.#parts, mergeKwargs(this.chatTemplateKwargs, kwargs, aliases));
  }

  async renderPrompt(
    messages: readonly JsonObject[],
    tools: JsonValue,
    options: PromptOptions,
  ): Promise<number[]> {
    if (messages.length === 0) {
      throw new InvalidRequestError("messages is empty: at least one message is required");
    }
    const text = renderForClient(
      () => this.#render(messages, tools, options.addGenerationPrompt),
      (index) => index,
    );
    const { tokenizer } = this.#parts;
    const steps = options.inSteps === true ? tokenizer.encodeInSteps?.(text) : undefined;
    return steps === undefined ? tokenizer.encode(text) : runInSteps(steps);
  }

  async appendTokens(
    stored: readonly JsonObject[],
    appended: readonly JsonObject[],
    prefixLastToken: number | undefined,
    tools: JsonValue,
  ): Promise<AppendedTokens> {
    const base = this.#parts.definition.appendBase(stored);
    const suffix = renderForClient(
      () => this.#renderAppended(base, appended, tools),
      (index) => stored.length - base.length + index,
    );
    const { dropLast, tokens } = this.#parts.tokens.junctionAfter(prefixLastToken);
    const suffixTokens = await this.#parts.tokenizer.encode(suffix);
    return { dropLast, tokens: [...tokens, ...suffixTokens] };
  }

  compare(expected: TokenSequence, actual: TokenSequence): Promise<Mismatch[]> {
    const { tokenizer, tokens, definition } = this.#parts;
    const { segmenting, trailing } = tokens;
    const { assistantStart } = definition;
    return compareTokenSequences(
      { tokenizer, segmenting, trailing, assistantStart },
      expected,
      actual,
    );
  }

  #renderAppended(
    base: readonly JsonObject[],
    appended: readonly JsonObject[],
    tools: JsonValue,
  ): string {
    const before = this.#render(base, tools, false);
    const after = this.#render([...base, ...appended], tools, true);
    if (after.startsWith(before)) return after.slice(before.length);
    const roles = appended.map((message) => JSON.stringify(message.get("role") ?? null));
    throw new RenderError(
      null,
      "the chat template cannot append messages without changing what stands before them " +
        `(appended roles: ${roles.join(", ") || "none"})`,
    );
  }

  #render(messages: readonly JsonObject[], tools: JsonValue, addGenerationPrompt: boolean) {
    const { chatTemplateKwargs } = this;
    return this.#parts.renderer.render({
      messages,
      tools,
      addGenerationPrompt,
      chatTemplateKwargs,
    });
  }
}
