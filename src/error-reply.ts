// spec: README.md, "Errors"
/**
 * A failure in the words of the protocol that the client speaks: one place for all processes.
 *
 *   sessions, chat   {"error": "a sentence"}, as the original has it
 *   messages         {"type":"error","error":{"type":"not_found_error","message":"a sentence"}}
 *   responses        {"error":{"message":"a sentence","type":"invalid_request_error",...}}
 *
 * Contract   the status says the same in every protocol, but for 503, which Anthropic's clients
 *            know as 529 "overloaded".
 */
import { errorReply, jsonReply, type Operation, type Reply } from "./operation.ts";

/** Anthropic's names of failures; other statuses are an "api_error". */
const anthropicErrorTypes: ReadonlyMap<number, string> = new Map([
  [400, "invalid_request_error"],
  [401, "authentication_error"],
  [403, "permission_error"],
  [404, "not_found_error"],
  [413, "request_too_large"],
  [422, "invalid_request_error"],
  [429, "rate_limit_error"],
  [504, "timeout_error"],
  [529, "overloaded_error"],
]);

/** From here on the server is at fault, not the request. */
const serverErrorStatusMin = 500;

const tooManyRequests = 429;

const unavailable = 503;

/** Anthropic's status for a server that has no room: its clients send the request again. */
const overloaded = 529;

export function errorReplyTo(
  operation: Pick<Operation, "kind"> | null,
  status: number,
  message: string,
): Reply {
  switch (operation?.kind) {
    case "messages":
    case "count_tokens":
      return anthropicError(status === unavailable ? overloaded : status, message);
    case "responses":
      return jsonReply(status, {
        error: { message, type: openaiErrorType(status), param: null, code: null },
      });
    default:
      return errorReply(status, message);
  }
}

function anthropicError(status: number, message: string): Reply {
  const type = anthropicErrorTypes.get(status) ?? "api_error";
  return jsonReply(status, { type: "error", error: { type, message } });
}

/** OpenAI's name of a failure. */
export function openaiErrorType(status: number): string {
  if (status === tooManyRequests) return "rate_limit_error";
  return status < serverErrorStatusMin ? "invalid_request_error" : "server_error";
}
