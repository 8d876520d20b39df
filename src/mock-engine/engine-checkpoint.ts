/**
 * What the mock engine needs of a checkpoint: a tokenizer, the token that ends a turn, and the
 * prompt of a request that brings no token ids.
 *
 * Not here   what SGLang does to messages before it renders them (content parts, null content,
 *            parsed tool arguments): the template gets them as they came.
 */
import { errorText } from "../errors.ts";
import { parseJson } from "../json/lossless.ts";
import type { JsonObject, JsonValue } from "../json/values.ts";
import { type Checkpoint, loadCheckpoint } from "../tokenizer/checkpoint.ts";
import type { EngineTokenizer } from "./completion.ts";
import { EngineError } from "./engine-error.ts";

export interface EngineCheckpoint {
  readonly tokenizer: EngineTokenizer;
  /** The id that a model emits last. */
  readonly stopToken: number;
  /**
   * The prompt of a chat request, from its JSON text, which parseChatRequest has accepted.
   *
   * @throws EngineError when the messages cannot be rendered
   */
  encodePrompt(request: string): Promise<readonly number[]>;
}

/** @throws Error when the checkpoint cannot be read or names no token that ends a turn */
export async function loadEngineCheckpoint(options: {
  readonly hfCheckpoint: string | null;
  readonly chatTemplatePath: string | null;
}): Promise<EngineCheckpoint> {
  const checkpoint = await loadCheckpoint(options.hfCheckpoint, options);
  const { tokenizer } = checkpoint;
  const stopText = checkpoint.specialTokens.get("eos_token") ?? "<|im_end|>";
  const stopToken = tokenizer.tokenId(stopText);
  if (stopToken === undefined) {
    throw new Error(`${checkpoint.name} has no token ${JSON.stringify(stopText)} to end a turn`);
  }
  return {
    tokenizer,
    stopToken,
    encodePrompt: async (request) => await tokenizer.encode(renderPrompt(checkpoint, request)),
  };
}

function renderPrompt(checkpoint: Checkpoint, request: string): string {
  const { chatTemplate, toolChatTemplate, specialTokens } = checkpoint;
  const body = parseJson(request) as JsonObject;
  const tools = body.get("tools") ?? null;
  const template = tools === null ? chatTemplate : (toolChatTemplate ?? chatTemplate);
  if (template === null) {
    throw new EngineError(`${checkpoint.name} has no chat template: send input_ids`);
  }
  const keywords = body.get("chat_template_kwargs");
  const variables = new Map<string, JsonValue>([
    ["documents", null],
    ...specialTokens,
    ...(keywords instanceof Map ? keywords : []),
    ["messages", body.get("messages") ?? []],
    ["tools", tools],
    ["add_generation_prompt", true],
  ]);
  try {
    return template.render(variables);
  } catch (error) {
    throw new EngineError(`the chat template rejects the messages: ${errorText(error)}`);
  }
}
