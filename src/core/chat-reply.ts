/**
 * The backend's chat reply: the generated message and its token ids, checked.
 *
 * Contract   what is returned is complete: an assistant message with content, and one id for each
 *            completion token. The first choice counts, as in the original.
 * Reports    UpstreamError with the text of the original where it has one; UpstreamAbortedError for
 *            a generation that the backend gave up, whose tokens are no turn.
 */
import { UpstreamAbortedError, UpstreamError } from "../errors.ts";
import { parseJson, writeJson } from "../json/lossless.ts";
import type { JsonObject, JsonValue } from "../json/values.ts";

export interface ChatReply {
  readonly response: JsonObject;
  readonly choice: JsonObject;
  readonly assistantMessage: JsonObject;
  readonly completionTokens: readonly number[];
}

const noTokenIdsHint =
  "the backend returns no token ids: its /v1/chat/completions must know return_meta_info and " +
  "logprobs, and no proxy in between may drop them";

const utf8 = new TextDecoder("utf-8", { fatal: true });

/** @param skeleton the reply without its replay payloads */
export function parseChatReply(skeleton: Uint8Array): ChatReply {
  const response = requireObject(parseReply(skeleton), "the reply");
  const choice = firstChoice(response);
  requireNotAborted(choice);
  const metaInfo = choice.get("meta_info");
  if (!(metaInfo instanceof Map) || !metaInfo.has("output_token_logprobs")) {
    throw new UpstreamError(
      "meta_info and output_token_logprobs must be in choice (requires logprobs=True)",
      { hint: noTokenIdsHint },
    );
  }
  const assistantMessage = choice.get("message");
  if (!(assistantMessage instanceof Map) || (assistantMessage.get("content") ?? null) === null) {
    throw new UpstreamError(
      "assistant message content is None, when tool call parser failed SGLang should still " +
        "return an empty content rather than None. Please check your modified SGLang version.",
    );
  }
  return { response, choice, assistantMessage, completionTokens: completionTokens(metaInfo) };
}

/** As an OpenAI server says it, or as SGLang's meta_info does. */
function requireNotAborted(choice: JsonObject): void {
  const metaInfo = choice.get("meta_info");
  const detail = metaInfo instanceof Map ? metaInfo.get("finish_reason") : undefined;
  const reasons = [
    choice.get("finish_reason"),
    detail instanceof Map ? detail.get("type") : detail,
  ];
  if (!reasons.includes("abort")) return;
  throw new UpstreamAbortedError(
    "the backend aborted the generation (finish_reason is abort): the turn was not stored, the " +
      "request can be sent again",
  );
}

function parseReply(skeleton: Uint8Array): JsonValue {
  try {
    return parseJson(utf8.decode(skeleton));
  } catch (error) {
    throw new UpstreamError(`invalid chat completion response: ${error}`, { cause: error });
  }
}

function firstChoice(response: JsonObject): JsonObject {
  const choices = response.get("choices");
  if (choices === undefined) return new Map();
  if (!Array.isArray(choices) || choices.length === 0) {
    throw new UpstreamError(
      "invalid chat completion response: choices must be a list of at least one choice",
    );
  }
  return requireObject(choices[0] ?? null, "choices[0]");
}

function completionTokens(metaInfo: JsonObject): number[] {
  const logprobs = metaInfo.get("output_token_logprobs");
  if (!Array.isArray(logprobs)) {
    throw new UpstreamError(
      "invalid chat completion response: output_token_logprobs must be a list",
    );
  }
  const count = metaInfo.get("completion_tokens");
  if (count !== logprobs.length) {
    const promised = writeJson(count ?? null);
    throw new UpstreamError(
      "invalid chat completion response: " +
        `len(output_token_logprobs)=${logprobs.length} != completion_tokens=${promised}. ` +
        "Please check whether you use the correct SGLang branch which has fix the tokenizer " +
        "batch decode issue.",
    );
  }
  return logprobs.map((entry, index) => {
    const id = Array.isArray(entry) ? entry[1] : undefined;
    if (typeof id === "number" && Number.isInteger(id) && id >= 0 && id < 2 ** 32) return id;
    throw new UpstreamError(
      `invalid chat completion response: output_token_logprobs[${index}] must be ` +
        "[logprob, token id, text]",
    );
  });
}

function requireObject(value: JsonValue, what: string): JsonObject {
  if (value instanceof Map) return value;
  throw new UpstreamError(`invalid chat completion response: ${what} must be an object`);
}
