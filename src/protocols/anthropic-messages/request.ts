// spec: docs/clients.md, "Anthropic Messages"; Anthropic API reference, "Create a Message"
/**
 * An Anthropic request as a chat completion request.
 *
 * Contract   sampling parameters keep their values as written. What only steers Anthropic's own
 *            servers (cache_control, metadata, service_tier, thinking, ...) is left out: whether a
 *            model thinks is a matter of its chat template, which the session's settings steer.
 * Reports    InvalidRequestError.
 */
import { InvalidRequestError } from "../../errors.ts";
import { requestObject, requestText } from "../../json/request-object.ts";
import type { JsonObject, JsonValue } from "../../json/values.ts";
import { chatBodyBytesMax } from "../../limits.ts";
import { chatBodyOf } from "../chat-body.ts";
import { object, requireList, requireObject, requireText, wrong } from "../members.ts";
import type { EarlierTurns } from "../turn-protocol.ts";
import { readConversation } from "./conversation.ts";
import { readToolChoice, readTools } from "./tools.ts";

export interface MessagesRequest {
  readonly chatBody: Uint8Array;
  /** Texts that end a reply. */
  readonly stopSequences: readonly string[];
}

/** Passed on under the same name. */
const passedNames = ["model", "temperature", "top_p", "top_k", "chat_template_kwargs"] as const;

/** A request for a reply. */
export function readMessagesRequest(body: Uint8Array, earlier: EarlierTurns): MessagesRequest {
  const request = requestObject(requestText(body, chatBodyBytesMax));
  const messages = readMessages(request, earlier);
  if (messages.at(-1)?.get("role") === "assistant") {
    throw new InvalidRequestError(
      "the last message is the assistant's: a reply cannot be begun by the client",
    );
  }
  const maxTokens = request.get("max_tokens");
  if (typeof maxTokens !== "number" || maxTokens < 1) {
    throw wrong("max_tokens", "an integer of 1 or more", maxTokens);
  }
  const stopSequences = readStopSequences(request.get("stop_sequences") ?? null);
  const { toolChoice, parallelToolCalls } = readToolChoice(request.get("tool_choice") ?? null);
  const chat = object({
    ...passed(request),
    max_tokens: maxTokens,
    stop: stopSequences.length === 0 ? undefined : [...stopSequences],
    tool_choice: toolChoice,
    parallel_tool_calls: parallelToolCalls,
    response_format: readOutputFormat(request),
    stream: request.get("stream") === true ? true : undefined,
    messages,
    tools: readTools(request.get("tools") ?? null),
  });
  return { chatBody: chatBodyOf(chat), stopSequences };
}

/** A request to count the tokens of a prompt: the same members, but for those of the reply. */
export function readCountRequest(body: Uint8Array, earlier: EarlierTurns): Uint8Array {
  const request = requestObject(requestText(body, chatBodyBytesMax));
  const chat = object({
    ...passed(request),
    messages: readMessages(request, earlier),
    tools: readTools(request.get("tools") ?? null),
  });
  return chatBodyOf(chat);
}

function readMessages(request: JsonObject, earlier: EarlierTurns): JsonObject[] {
  return readConversation(request.get("system") ?? null, request.get("messages"), earlier);
}

function passed(request: JsonObject): Record<string, JsonValue | undefined> {
  return Object.fromEntries(passedNames.map((name) => [name, request.get(name) ?? undefined]));
}

function readStopSequences(value: JsonValue): readonly string[] {
  if (value === null) return [];
  return requireList(value, "stop_sequences").map((text, index) =>
    requireText(text, `stop_sequences[${index}]`),
  );
}

/** Structured output: output_config.format, and output_format of older clients. */
function readOutputFormat(request: JsonObject): JsonObject | undefined {
  const config = request.get("output_config") ?? null;
  const named = config instanceof Map ? (config.get("format") ?? null) : null;
  const format = named ?? request.get("output_format") ?? null;
  if (format === null) return undefined;
  const schema = requireObject(format, "output_config.format").get("schema");
  return object({
    type: "json_schema",
    json_schema: object({
      name: "output",
      schema: requireObject(schema, "output_config.format.schema"),
    }),
  });
}
