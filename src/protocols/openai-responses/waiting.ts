// spec: OpenAI API reference, "Streaming events"
/**
 * A stream of OpenAI's Responses before its output is there.
 *
 * Contract   the response begins at once, as OpenAI's own does, and is said to be in progress again
 *            and again: comments would do for HTTP, but Codex counts events. A repeated event keeps
 *            its number, so that those behind it are numbered as ever. A failure is both of the
 *            protocol's events: OpenAI's SDKs raise the first, Codex reads the second.
 */
import { openaiErrorType } from "../../error-reply.ts";
import type { JsonObject, JsonValue } from "../../json/values.ts";
import { wellFormedJson } from "../../json/well-formed-json.ts";
import { object } from "../members.ts";
import type { WaitingEvents } from "../waiting-events.ts";
import { begunResponse } from "./reply.ts";
import type { AskedResponse } from "./request.ts";

const tooManyRequests = 429;
const serverErrorStatusMin = 500;

export function waitingForResponse(turnId: string, asked: AskedResponse): WaitingEvents {
  const begun = begunResponse(turnId, asked, {
    created: Math.floor(Date.now() / 1000),
    model: asked.request.get("model"),
  });
  const inProgress = event(1, "response.in_progress", { response: begun });
  return {
    opening: event(0, "response.created", { response: begun }) + inProgress,
    keepAlive: inProgress,
    eventsInOpening: 2,
    failure(status, message) {
      const code = failureCode(status);
      const error = object({ type: openaiErrorType(status), code, message, param: null });
      const failed = failedResponse(begun, code, message);
      return (
        event(2, "error", { code, message, param: null, error }) +
        event(3, "response.failed", { response: failed })
      );
    },
  };
}

function failedResponse(begun: JsonObject, code: string, message: string): JsonObject {
  return new Map(begun).set("status", "failed").set("error", object({ code, message }));
}

/** OpenAI's names of why a response failed. */
function failureCode(status: number): string {
  if (status === tooManyRequests) return "rate_limit_exceeded";
  return status < serverErrorStatusMin ? "invalid_prompt" : "server_error";
}

function event(index: number, type: string, members: Record<string, JsonValue>): string {
  const data = object({ type, sequence_number: index, ...members });
  return `event: ${type}\ndata: ${wellFormedJson(data)}\n\n`;
}
