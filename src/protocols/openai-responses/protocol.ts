// spec: docs/clients.md, "OpenAI Responses"
/**
 * OpenAI's Responses over a session: POST v1/responses.
 */
import { wellFormedJson } from "../../json/well-formed-json.ts";
import { jsonTextReply, type Reply } from "../../operation.ts";
import { eventStreamReply } from "../event-stream.ts";
import type { TurnAnswer, TurnProtocol } from "../turn-protocol.ts";
import { responseEvents } from "./events.ts";
import { responseParts } from "./reply.ts";
import { type AskedResponse, readResponsesRequest } from "./request.ts";
import { waitingForResponse } from "./waiting.ts";

export const openaiResponses: TurnProtocol = {
  isTranslation: true,
  open(body, earlier) {
    const { chatBody, asked } = readResponsesRequest(body, earlier);
    return {
      chatBody,
      waiting: (turnId) => waitingForResponse(turnId, asked),
      render: (answer) => render(answer, asked),
    };
  },
};

function render(answer: TurnAnswer, asked: AskedResponse): Reply {
  const parts = responseParts(answer, asked);
  if (answer.stream) return eventStreamReply(200, responseEvents(parts));
  return jsonTextReply(200, wellFormedJson(parts.whole));
}
