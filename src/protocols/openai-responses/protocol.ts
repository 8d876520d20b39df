// spec: docs/clients.md, "OpenAI Responses"
/**
 * OpenAI's Responses over a session: POST v1/responses.
 */
import { writeJson } from "../../json/lossless.ts";
import { jsonTextReply, type Reply } from "../../operation.ts";
import { eventStreamReply } from "../event-stream.ts";
import type { TurnAnswer, TurnProtocol } from "../turn-protocol.ts";
import { responseEvents } from "./events.ts";
import { responseParts } from "./reply.ts";
import { type AskedResponse, readResponsesRequest } from "./request.ts";

export const openaiResponses: TurnProtocol = {
  isTranslation: true,
  open(body, earlier) {
    const { chatBody, asked } = readResponsesRequest(body, earlier);
    return { chatBody, render: (answer) => render(answer, asked) };
  },
};

function render(answer: TurnAnswer, asked: AskedResponse): Reply {
  const parts = responseParts(answer, asked);
  if (answer.stream) return eventStreamReply(200, responseEvents(parts));
  return jsonTextReply(200, writeJson(parts.whole));
}
