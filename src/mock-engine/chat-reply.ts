/**
 * The JSON of a chat completion reply, in the member order of SGLang, as slices of bytes: replay
 * payloads are passed through by reference, so a reply costs its skeleton.
 */
import type { ChatRequest } from "./chat-request.ts";
import type { Completion } from "./completion.ts";
import type { Fault } from "./fault.ts";
import type { ReplayPayloadKind } from "./replay-payload.ts";

export interface ChatReplyParts {
  /** Hexadecimal text that makes the ids of the reply and of its tool calls. */
  readonly id: string;
  /** Seconds since the epoch. */
  readonly created: number;
  readonly model: string;
  readonly weightVersion: string;
  readonly promptTokens: number;
  readonly completion: Completion;
  readonly request: ChatRequest;
  /** Base64 text in slices, in the order in which they are sent. */
  readonly payloads: readonly (readonly [ReplayPayloadKind, readonly Uint8Array[]])[];
  readonly fault: Fault | null;
}

/** Step between the log-probabilities of neighbouring tokens: exact in binary and short in text. */
const logprobStep = 1 / 128;

export function chatReplyBody(parts: ChatReplyParts): Uint8Array[] {
  const { completion, promptTokens, fault } = parts;
  const completionTokens = completion.tokens.length;
  const head = {
    id: `chatcmpl-${parts.id}`,
    object: "chat.completion",
    created: parts.created,
    model: parts.model,
  };
  const tail = {
    usage: {
      prompt_tokens: promptTokens,
      completion_tokens: completionTokens,
      total_tokens: promptTokens + completionTokens,
    },
    metadata: { weight_version: parts.weightVersion },
  };
  const choices = fault === "no-choices" ? [] : choiceSlices(parts);
  return [
    utf8(`${open(head)},"choices":[`),
    ...choices,
    utf8(`],${JSON.stringify(tail).slice(1)}`),
  ];
}

/** The only choice; meta_info stands last in it and the payloads last in meta_info. */
function choiceSlices(parts: ChatReplyParts): Uint8Array[] {
  const { completion, fault } = parts;
  const choice = {
    index: 0,
    message: fault === "null-message" ? null : message(parts),
    logprobs: null,
    finish_reason: completion.finishReason,
    matched_stop: completion.stopToken,
  };
  if (!parts.request.returnMetaInfo || fault === "no-meta-info") {
    return [utf8(JSON.stringify(choice))];
  }
  const slices = [utf8(`${open(choice)},"meta_info":${open(metaInfo(parts))}`)];
  const payloads = fault === "no-replay-payload" ? [] : parts.payloads;
  for (const [kind, text] of payloads) {
    slices.push(utf8(`,"${kind}":"`), ...text, utf8('"'));
  }
  slices.push(utf8("}}"));
  return slices;
}

function message(parts: ChatReplyParts): object {
  const { content, reasoning, toolCalls } = parts.completion;
  return {
    role: "assistant",
    content: parts.fault === "null-content" ? null : content,
    reasoning_content: reasoning,
    tool_calls:
      toolCalls.length === 0
        ? null
        : toolCalls.map((call, index) => ({
            id: call.id ?? `call_${parts.id.slice(0, 20)}${String(index).padStart(4, "0")}`,
            index,
            type: "function",
            function: { name: call.name, arguments: call.arguments },
          })),
  };
}

function metaInfo(parts: ChatReplyParts): object {
  const { completion, fault } = parts;
  const count = completion.tokens.length;
  return {
    id: parts.id,
    finish_reason: metaFinishReason(completion),
    prompt_tokens: parts.promptTokens,
    weight_version: parts.weightVersion,
    completion_tokens: fault === "wrong-completion-tokens" ? count + 1 : count,
    cached_tokens: 0,
    ...(parts.request.logprobs && fault !== "no-logprobs"
      ? {
          output_token_logprobs: completion.tokens.map((id, index) => [
            -(index + 1) * logprobStep,
            id,
            null,
          ]),
        }
      : {}),
  };
}

/** What the scheduler says; it knows nothing of tool calls, which a parser finds later. */
function metaFinishReason(completion: Completion): object {
  if (completion.finishReason === "length") {
    return { type: "length", length: completion.tokens.length };
  }
  if (completion.finishReason === "abort") return { type: "abort", message: "Aborted" };
  return { type: "stop", matched: completion.stopToken };
}

/** The JSON of an object that is not closed yet; the object must not be empty. */
function open(value: object): string {
  return JSON.stringify(value).slice(0, -1);
}

function utf8(text: string): Uint8Array {
  return Buffer.from(text, "utf8");
}
