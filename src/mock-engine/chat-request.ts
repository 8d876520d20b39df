/**
 * A chat completion request as the mock engine reads it: checked, with what it does not understand
 * left aside, as SGLang does.
 *
 * Reports    EngineError with status 400, also for `stream`: this engine sends whole replies only.
 */
import { errorText } from "../errors.ts";
import { EngineError } from "./engine-error.ts";
import type { ChatMessage } from "./script.ts";

export interface ChatRequest {
  readonly model: string | null;
  readonly messages: readonly ChatMessage[];
  /** The prompt as token ids; null when the engine has to render the messages. */
  readonly inputIds: readonly number[] | null;
  /** Most tokens of the completion, the stop token included; null: no limit. */
  readonly completionTokensMax: number | null;
  readonly logprobs: boolean;
  readonly returnMetaInfo: boolean;
  readonly returnRoutedExperts: boolean;
  readonly returnIndexerTopk: boolean;
}

/** @throws EngineError */
export function parseChatRequest(text: string): ChatRequest {
  const request = parseRequestObject(text);
  if (request["stream"] === true) {
    throw new EngineError("the mock engine sends whole replies only: stream must not be true");
  }
  return {
    model: typeof request["model"] === "string" ? request["model"] : null,
    messages: checkMessages(request["messages"]),
    inputIds: checkInputIds(request["input_ids"]),
    completionTokensMax: checkTokensMax(request["max_completion_tokens"] ?? request["max_tokens"]),
    logprobs: request["logprobs"] === true,
    returnMetaInfo: request["return_meta_info"] === true,
    returnRoutedExperts: request["return_routed_experts"] === true,
    returnIndexerTopk: request["return_indexer_topk"] === true,
  };
}

/** @throws EngineError when the text is no JSON object */
export function parseRequestObject(text: string): Record<string, unknown> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new EngineError(`the body is no JSON: ${errorText(error)}`);
  }
  if (isObject(value)) return value;
  throw new EngineError("the body must be a JSON object");
}

/** Null when absent. @throws EngineError when it is no list of token ids */
export function checkInputIds(value: unknown): number[] | null {
  if (value === undefined || value === null) return null;
  if (!Array.isArray(value)) throw new EngineError("input_ids must be a list of integers");
  const wrong = value.findIndex((id) => !Number.isSafeInteger(id) || id < 0);
  if (wrong === -1) return value;
  const shown = JSON.stringify(value[wrong]);
  throw new EngineError(`input_ids[${wrong}] must be an integer of 0 or more, not ${shown}`);
}

function checkMessages(value: unknown): ChatMessage[] {
  if (!Array.isArray(value)) throw new EngineError("messages must be a list");
  if (value.length === 0) throw new EngineError("Messages cannot be empty.");
  return value.map((message, index) => {
    if (isObject(message) && typeof message["role"] === "string") return message as ChatMessage;
    throw new EngineError(`messages[${index}] must be an object with a role`);
  });
}

function checkTokensMax(value: unknown): number | null {
  if (value === undefined || value === null) return null;
  if (typeof value === "number" && Number.isSafeInteger(value) && value >= 1) return value;
  throw new EngineError(`max_tokens must be an integer of 1 or more, not ${JSON.stringify(value)}`);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
