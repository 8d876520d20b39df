/**
 * A backend's error for a client that does not speak its protocol: same status, the backend's
 * sentence, the form that the client's protocol has for errors.
 *
 * Limits     refusalCharactersQuoted of a text that is no JSON.
 */
import { errorReplyTo } from "../error-reply.ts";
import { refusalCharactersQuoted } from "../limits.ts";
import type { Reply, TurnOperation } from "../operation.ts";
import { readBody } from "../stream-body.ts";
import type { UpstreamReply } from "../upstream/upstream-client.ts";

const errorStatusMin = 400;

/** For what is neither an answer nor an error, such as a redirect. */
const badGateway = 502;

export async function refusalInProtocol(
  operation: TurnOperation,
  upstreamReply: UpstreamReply,
): Promise<Reply> {
  const { status } = upstreamReply;
  const sentence = refusalSentence(status, await readBody(upstreamReply.body));
  const reply = errorReplyTo(operation, status < errorStatusMin ? badGateway : status, sentence);
  // Clients wait as long as they are told before they send the request again.
  const retryAfter = upstreamReply.headers.find(([name]) => name === "retry-after");
  if (retryAfter !== undefined) reply.headers.push(retryAfter);
  return reply;
}

/** What a refusal says, whoever made it. */
export function refusalSentence(status: number, body: Uint8Array): string {
  return sentenceOf(Buffer.from(body).toString()) || `the backend answered with status ${status}`;
}

/** SGLang: {"message": ..}; OpenAI, vLLM: {"error": {"message": ..}}; FastAPI: {"detail": ..}. */
function sentenceOf(text: string): string {
  try {
    const body: unknown = JSON.parse(text);
    const error = member(body, "error");
    const found = [
      member(error, "message"),
      error,
      member(body, "message"),
      member(body, "detail"),
    ];
    const sentence = found.find((value) => typeof value === "string");
    if (typeof sentence === "string") return sentence;
  } catch {
    // No JSON: quoted as it is.
  }
  return text.trim().slice(0, refusalCharactersQuoted);
}

function member(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;
}
