// spec: OpenAI API reference, "The response object"
/**
 * A turn's reply as a response.
 *
 * Contract   items stand in the order reasoning, message, calls, and say all that the model said.
 *            The reasoning is also its own summary where the request asks for one. Usage counts the
 *            session's own tokens.
 */
import type { JsonObject, JsonValue } from "../../json/values.ts";
import { readGeneratedMessage } from "../generated-message.ts";
import { object } from "../members.ts";
import type { TurnAnswer } from "../turn-protocol.ts";
import { callItem } from "./call-items.ts";
import { messageId, reasoningId, responseId } from "./item-ids.ts";
import type { AskedResponse } from "./request.ts";

/** Members of a request that its response repeats, and what they are when it does not have them. */
export const repeatedMembers: readonly (readonly [name: string, standard: JsonValue])[] = [
  ["instructions", null],
  ["max_output_tokens", null],
  ["metadata", new Map()],
  ["parallel_tool_calls", true],
  ["previous_response_id", null],
  [
    "reasoning",
    new Map<string, JsonValue>([
      ["effort", null],
      ["summary", null],
    ]),
  ],
  ["store", true],
  ["temperature", null],
  ["text", object({ format: object({ type: "text" }) })],
  ["tool_choice", "auto"],
  ["tools", []],
  ["top_p", null],
  ["truncation", "disabled"],
  ["user", null],
];

/** Reasons of a reply that is not whole, by the finish reason of a chat completion. */
const incompleteReasons: ReadonlyMap<JsonValue, string> = new Map([
  ["length", "max_output_tokens"],
  ["content_filter", "content_filter"],
]);

export interface ResponseParts {
  /** The response before anything was generated, as a stream begins with it. */
  readonly begun: JsonObject;
  readonly whole: JsonObject;
  readonly items: readonly JsonObject[];
}

export function responseParts(answer: TurnAnswer, asked: AskedResponse): ResponseParts {
  const { turnId, response, choice } = answer;
  const reason = incompleteReasons.get(choice.get("finish_reason") ?? null) ?? null;
  const status = reason === null ? "completed" : "incomplete";
  const items = itemsOf(answer, asked, status);
  const made = { created: response.get("created"), model: response.get("model") };
  const begun = begunResponse(turnId, asked, made);
  const whole = new Map(begun)
    .set("status", status)
    .set("incomplete_details", reason === null ? null : object({ reason }))
    .set("output", [...items])
    .set("usage", usageOf(answer));
  return { begun, whole, items };
}

/**
 * A response of which nothing is generated yet.
 *
 * @param made.created seconds since 1970; what is no number is now
 */
export function begunResponse(
  turnId: string,
  asked: AskedResponse,
  made: { readonly created: JsonValue | undefined; readonly model: JsonValue | undefined },
): JsonObject {
  const { created, model } = made;
  return object({
    id: responseId(turnId),
    object: "response",
    created_at: typeof created === "number" ? created : Math.floor(Date.now() / 1000),
    status: "in_progress",
    background: false,
    error: null,
    incomplete_details: null,
    model: typeof model === "string" ? model : "",
    output: [],
    ...repeated(asked.request),
    usage: null,
  });
}

function repeated(request: JsonObject): Record<string, JsonValue> {
  return Object.fromEntries(
    repeatedMembers.map(([name, standard]) => [name, request.get(name) ?? standard]),
  );
}

function itemsOf(answer: TurnAnswer, asked: AskedResponse, status: string): JsonObject[] {
  const { turnId } = answer;
  const { reasoning, content, calls } = readGeneratedMessage(answer.assistantMessage, turnId);
  const items: JsonObject[] = [];
  if (reasoning !== null) items.push(reasoningItem(turnId, reasoning, asked.request));
  // A response without text and calls still has a message, which clients look for.
  if (content !== null || calls.length === 0) {
    items.push(
      object({
        id: messageId(turnId),
        type: "message",
        status,
        role: "assistant",
        content: [outputText(content ?? "")],
      }),
    );
  }
  for (const [index, call] of calls.entries()) {
    items.push(callItem(call, turnId, index, asked.offered.get(call.name)));
  }
  return items;
}

function reasoningItem(turnId: string, text: string, request: JsonObject): JsonObject {
  const asked = request.get("reasoning");
  const wantsSummary = asked instanceof Map && (asked.get("summary") ?? null) !== null;
  return object({
    id: reasoningId(turnId),
    type: "reasoning",
    summary: wantsSummary ? [object({ type: "summary_text", text })] : [],
    content: [object({ type: "reasoning_text", text })],
    encrypted_content: null,
    status: "completed",
  });
}

export function outputText(text: string): JsonObject {
  return object({ type: "output_text", text, annotations: [], logprobs: [] });
}

function usageOf({ promptTokens, completionTokens, response }: TurnAnswer): JsonObject {
  return object({
    input_tokens: promptTokens,
    input_tokens_details: object({
      cached_tokens: detail(response, "prompt_tokens_details", "cached_tokens"),
    }),
    output_tokens: completionTokens,
    output_tokens_details: object({
      reasoning_tokens: detail(response, "completion_tokens_details", "reasoning_tokens"),
    }),
    total_tokens: promptTokens + completionTokens,
  });
}

/** A count that only the backend knows; 0 when it does not tell. */
function detail(response: JsonObject, group: string, name: string): number {
  const usage = response.get("usage");
  const details = usage instanceof Map ? usage.get(group) : null;
  const count = details instanceof Map ? details.get(name) : null;
  return typeof count === "number" ? count : 0;
}
