/**
 * OpenAI's chat completions, the protocol of the backend itself: requests and replies pass as they
 * are.
 */
import type { Reply } from "../operation.ts";
import type { TurnAnswer, TurnProtocol } from "../protocols/turn-protocol.ts";
import { streamReply, waitingForChunk } from "./stream-chunk.ts";

export const chatProtocol: TurnProtocol = {
  isTranslation: false,
  open: (body) => ({ chatBody: body, waiting: () => waitingForChunk, render }),
};

function render(answer: TurnAnswer): Reply {
  const { stream, logprobs, received } = answer;
  if (stream) return streamReply(received.status, answer, logprobs);
  const hasMediaType = received.headers.some(([name]) => name === "content-type");
  if (hasMediaType) return received;
  return { ...received, headers: [...received.headers, ["content-type", "application/json"]] };
}
