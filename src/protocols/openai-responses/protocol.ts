// spec: docs/clients.md, "OpenAI Responses"
/**
 * OpenAI's Responses over a session: POST v1/responses.
 */
import { writeJson } from "../../json/lossless.ts";
import type { Reply } from "../../operation.ts";
import { eventStreamReply } from "../event-stream.ts";
import type { TurnAnswer, TurnProtocol } from "../turn-protocol.ts";
import { responseEvents } from "./events.ts";
import { responseParts } from "./reply.ts";
import { type ResponsesRequest, readResponsesRequest } from "./request.ts";

export const openaiResponses: TurnProtocol = {
  isTranslation: true,
  open(body, earlier) {
    const read = readResponsesRequest(body, earlier);
    return { chatBody: read.chatBody, render: (answer) => render(answer, read) };
  },
};

function render(answer: TurnAnswer, read: ResponsesRequest): Reply {
  const parts = responseParts(answer, read);
  if (answer.stream) return eventStreamReply(200, responseEvents(parts));
  return {
    status: 200,
    headers: [["content-type", "application/json"]],
    body: Buffer.from(writeJson(parts.whole)),
  };
}
