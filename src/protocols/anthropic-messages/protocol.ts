// spec: docs/clients.md, "Anthropic Messages"
/**
 * Anthropic's Messages over a session: POST v1/messages.
 */
import { wellFormedJson } from "../../json/well-formed-json.ts";
import { jsonTextReply, type Reply } from "../../operation.ts";
import { eventStreamReply } from "../event-stream.ts";
import type { TurnAnswer, TurnProtocol } from "../turn-protocol.ts";
import { messageEvents } from "./events.ts";
import { messageOf, messageParts } from "./reply.ts";
import { readMessagesRequest } from "./request.ts";
import { waitingForMessage } from "./waiting.ts";

export const anthropicMessages: TurnProtocol = {
  isTranslation: true,
  open(body, earlier) {
    const { chatBody, stopSequences } = readMessagesRequest(body, earlier);
    return {
      chatBody,
      waiting: () => waitingForMessage,
      render: (answer) => render(answer, stopSequences),
    };
  },
};

function render(answer: TurnAnswer, stopSequences: readonly string[]): Reply {
  const parts = messageParts(answer, stopSequences);
  if (answer.stream) return eventStreamReply(200, messageEvents(parts));
  return jsonTextReply(200, wellFormedJson(messageOf(parts)));
}
