/**
 * A complete chat reply as server-sent events: one chunk with everything, then [DONE].
 *
 * Contract   one large delta is legal, since deltas concatenate; all tool calls stand in it with
 *            their index, because some clients mis-assemble fragmented arguments. No meta_info:
 *            training reads the session's records. Until the reply is there a stream has comments,
 *            and one that fails has an error, which the SDKs raise, in place of chunk and [DONE].
 */
import { openaiErrorType } from "../error-reply.ts";
import { writeJson } from "../json/lossless.ts";
import type { JsonObject, JsonValue } from "../json/values.ts";
import type { Reply } from "../operation.ts";
import { eventStreamReply } from "../protocols/event-stream.ts";
import type { WaitingEvents } from "../protocols/waiting-events.ts";
import type { ChatReply } from "./chat-reply.ts";

/** What is streamed of a chat reply. */
export type StreamedReply = Pick<ChatReply, "response" | "choice" | "assistantMessage">;

const comment = ": keep-alive\n\n";

export const waitingForChunk: WaitingEvents = {
  opening: comment,
  keepAlive: comment,
  eventsInOpening: 0,
  failure(status, message) {
    const error = { message, type: openaiErrorType(status), param: null, code: status };
    return `data: ${JSON.stringify({ error })}\n\n`;
  },
};

/** @param logprobs the client asked for log-probabilities */
export function streamReply(status: number, reply: StreamedReply, logprobs: boolean): Reply {
  const events = `data: ${writeJson(streamChunk(reply, logprobs))}\n\ndata: [DONE]\n\n`;
  return eventStreamReply(status, events);
}

function streamChunk(
  { response, choice, assistantMessage }: StreamedReply,
  logprobs: boolean,
): JsonObject {
  const streamedChoice: JsonObject = new Map<string, JsonValue>([
    ["index", 0],
    ["delta", delta(assistantMessage)],
  ]);
  if (logprobs) streamedChoice.set("logprobs", choice.get("logprobs") ?? null);
  streamedChoice.set("finish_reason", choice.get("finish_reason") ?? null);
  const chunk: JsonObject = new Map<string, JsonValue>([
    ["id", response.get("id") ?? null],
    ["object", "chat.completion.chunk"],
    ["created", response.get("created") ?? null],
    ["model", response.get("model") ?? null],
    ["choices", [streamedChoice]],
  ]);
  const usage = response.get("usage") ?? null;
  if (usage !== null) chunk.set("usage", usage);
  return chunk;
}

function delta(message: JsonObject): JsonObject {
  const result: JsonObject = new Map<string, JsonValue>([
    ["role", message.get("role") ?? "assistant"],
    ["content", message.get("content") ?? null],
  ]);
  const reasoning = message.get("reasoning_content") ?? null;
  if (reasoning !== null) result.set("reasoning_content", reasoning);
  const toolCalls = message.get("tool_calls");
  if (Array.isArray(toolCalls) && toolCalls.length > 0) {
    result.set(
      "tool_calls",
      toolCalls.map((call, index) =>
        call instanceof Map ? new Map(call).set("index", index) : call,
      ),
    );
  }
  return result;
}
