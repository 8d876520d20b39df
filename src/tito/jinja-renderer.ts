// spec: transformers 5, apply_chat_template; miles, chat_template_utils/template.py
/**
 * Renders conversations with a checkpoint's or a family's Jinja template, the way sglang has
 * transformers do it.
 */
import type { ChatTemplate } from "../chat-template/chat-template.ts";
import { TemplateError, TemplateTypeError } from "../chat-template/errors.ts";
import { errorText } from "../errors.ts";
import type { JsonObject, JsonValue } from "../json/values.ts";
import type { RenderingConvention } from "../tokenizer/checkpoint.ts";
import type { ChatRenderer, RenderInput } from "./chat-renderer.ts";
import { kimiDefaults, kimiToolVariables } from "./kimi/variables.ts";
import { normalizeMessages } from "./message-normalization.ts";
import { RenderError } from "./render-error.ts";
import { bareFunctions, canonicalTools } from "./tool-definitions.ts";

export interface JinjaRendererOptions {
  readonly template: ChatTemplate;
  /** Used instead when there are tools; null when there is no such template. */
  readonly toolTemplate: ChatTemplate | null;
  readonly specialTokens: ReadonlyMap<string, string>;
  readonly convention: RenderingConvention;
}

/** Parameters of transformers' apply_chat_template, which would not reach the template. */
const reservedKwargs: ReadonlySet<string> = new Set([
  "add_generation_prompt",
  "chat_template",
  "continue_final_message",
  "conversation",
  "conversations",
  "max_length",
  "messages",
  "padding",
  "return_assistant_tokens_mask",
  "return_dict",
  "return_tensors",
  "tokenize",
  "tokenizer",
  "tokenizer_kwargs",
  "tools",
  "truncation",
]);

export function createJinjaRenderer(options: JinjaRendererOptions): ChatRenderer {
  return {
    validateKwargs(kwargs) {
      for (const name of kwargs.keys()) {
        if (!reservedKwargs.has(name)) continue;
        throw new RenderError(null, `chat_template_kwargs.${name} is reserved by the server`);
      }
    },
    render: (input) => renderWithTemplate(options, input),
  };
}

function renderWithTemplate(options: JinjaRendererOptions, input: RenderInput): string {
  const messages = normalizeMessages(input.messages, { parseArguments: true });
  const tools = canonicalTools(input.tools, { wrapBareFunctions: true });
  const template = tools === null ? options.template : (options.toolTemplate ?? options.template);
  const render = (templateTools: JsonValue) =>
    template.render(templateVariables(options, input, messages, templateTools));
  try {
    return render(tools);
  } catch (error) {
    if (!(error instanceof TemplateError) || tools === null) throw renderingFailed(error, "");
  }
  // Some templates take only the functions themselves.
  try {
    return render(bareFunctions(tools));
  } catch (error) {
    throw renderingFailed(error, " (tool format fallback)");
  }
}

function templateVariables(
  { specialTokens, convention }: JinjaRendererOptions,
  input: RenderInput,
  messages: JsonObject[],
  tools: JsonValue,
): Map<string, JsonValue> {
  const isKimi = convention === "kimi";
  const toolVariables = isKimi ? kimiToolVariables(tools) : [["tools", tools] as const];
  return new Map<string, JsonValue>([
    ["documents", null],
    ...specialTokens,
    ...(isKimi ? kimiDefaults : []),
    ...input.chatTemplateKwargs,
    ["messages", messages],
    ...toolVariables,
    ["add_generation_prompt", input.addGenerationPrompt],
  ]);
}

/** Bugs of ours pass through as they are. */
function renderingFailed(error: unknown, stage: string): unknown {
  if (!(error instanceof TemplateError) && !(error instanceof TemplateTypeError)) return error;
  return new RenderError(null, `Chat template rendering failed${stage}: ${errorText(error)}`, {
    cause: error,
  });
}
