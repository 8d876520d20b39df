// spec: docs/clients.md, "OpenAI Responses"; OpenAI API reference, "Create a model response"
/**
 * A Responses request as a chat completion request.
 *
 * Contract   sampling parameters keep their values as written. What only steers OpenAI's own
 *            servers (store, include, service_tier, reasoning.effort, ...) is left out.
 * Reports    InvalidRequestError, also for what needs state beyond a session: background, prompt,
 *            conversation.
 */
import { InvalidRequestError } from "../../errors.ts";
import { parseJson, writeJson } from "../../json/lossless.ts";
import { requestObject, requestText } from "../../json/request-object.ts";
import type { JsonObject, JsonValue } from "../../json/values.ts";
import { chatBodyBytesMax } from "../../limits.ts";
import { chatBodyOf } from "../chat-body.ts";
import { object, requireObject } from "../members.ts";
import type { EarlierTurns } from "../turn-protocol.ts";
import { readInput } from "./input.ts";
import { repeatedMembers } from "./reply.ts";
import { readToolChoice, readTools, type Tools } from "./tools.ts";

/** What a response says that the turn's answer does not. */
export interface AskedResponse {
  /** Copies of the members that a response repeats, and the model. */
  readonly request: JsonObject;
  /** What its tools are to the client, by the names of their functions. */
  readonly offered: Tools["offered"];
}

export interface ResponsesRequest {
  readonly chatBody: Uint8Array;
  readonly asked: AskedResponse;
}

/** Passed on under the same name. */
const passedNames = [
  "model",
  "temperature",
  "top_p",
  "parallel_tool_calls",
  "chat_template_kwargs",
] as const;

/** Members that name state which no session holds. */
const refusedNames = ["background", "conversation", "prompt"] as const;

export function readResponsesRequest(body: Uint8Array, earlier: EarlierTurns): ResponsesRequest {
  const request = requestObject(requestText(body, chatBodyBytesMax));
  for (const name of refusedNames) {
    const value = request.get(name) ?? null;
    if (value === null || value === false) continue;
    throw new InvalidRequestError(`${name} is not supported: a session is all that is kept`);
  }
  const { messages, found } = readInput(request, earlier);
  const { tools, offered } = readTools(request.get("tools") ?? null, found);
  const chat = object({
    ...Object.fromEntries(passedNames.map((name) => [name, request.get(name) ?? undefined])),
    max_tokens: request.get("max_output_tokens") ?? undefined,
    tool_choice: readToolChoice(request.get("tool_choice") ?? null),
    response_format: readTextFormat(request.get("text") ?? null),
    stream: request.get("stream") === true ? true : undefined,
    messages,
    tools,
  });
  return { chatBody: chatBodyOf(chat), asked: ownAsked({ request, offered }) };
}

/** What is needed while the model thinks: slices would keep the whole body alive. */
function ownAsked({ request, offered }: AskedResponse): AskedResponse {
  const names = ["model", ...repeatedMembers.map(([name]) => name)];
  const repeated = new Map(
    names.flatMap((name) => {
      const value = request.get(name);
      return value === undefined ? [] : [[name, value] as const];
    }),
  );
  return {
    request: parseJson(writeJson(repeated)) as JsonObject,
    offered: new Map(
      [...offered].map(([name, tool]) => [
        ownText(name),
        {
          ...tool,
          name: ownText(tool.name),
          namespace: tool.namespace === null ? null : ownText(tool.namespace),
        },
      ]),
    ),
  };
}

function ownText(text: string): string {
  return Buffer.from(text).toString();
}

function readTextFormat(text: JsonValue): JsonObject | undefined {
  if (text === null) return undefined;
  const format = requireObject(text, "text").get("format") ?? null;
  if (format === null) return undefined;
  const given = requireObject(format, "text.format");
  switch (given.get("type")) {
    case "text":
      return undefined;
    case "json_object":
      return object({ type: "json_object" });
    case "json_schema":
      return object({
        type: "json_schema",
        json_schema: object({
          name: given.get("name") ?? "output",
          schema: requireObject(given.get("schema"), "text.format.schema"),
          strict: given.get("strict") ?? undefined,
        }),
      });
    default:
      throw new InvalidRequestError(
        "text.format.type must be one of text, json_object, json_schema",
      );
  }
}
