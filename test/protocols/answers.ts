/**
 * Turns' answers for tests of protocols.
 */
import { parseJson, writeJson } from "../../src/json/lossless.ts";
import type { JsonObject, JsonValue } from "../../src/json/values.ts";
import type { Reply } from "../../src/operation.ts";
import type { TurnAnswer } from "../../src/protocols/turn-protocol.ts";

export const turnId = "0123456789abcdef0123456789abcdef";

export function jsonObject(value: object): JsonObject {
  return parseJson(JSON.stringify(value)) as JsonObject;
}

/** A lossless value as JavaScript has it, for toEqual. */
export function plain(value: JsonValue): unknown {
  return JSON.parse(writeJson(value));
}

export function answerOf(
  message: object,
  more: { choice?: object; response?: object; stream?: boolean } = {},
): TurnAnswer {
  const assistantMessage = jsonObject({ role: "assistant", ...message });
  const choice = jsonObject({ finish_reason: "stop", ...more.choice });
  return {
    turnId,
    stream: more.stream ?? false,
    logprobs: false,
    response: jsonObject({ created: 17, model: "m", ...more.response }),
    choice,
    assistantMessage,
    promptTokens: 10,
    completionTokens: 3,
    received: { status: 200, headers: [], body: new Uint8Array(0) },
  };
}

export const call = (name: string, argumentsText: string, id: string | null = `call-${name}`) => ({
  ...{ id, index: 0, type: "function" },
  function: { name, arguments: argumentsText },
});

export function textOf(reply: Reply): string {
  return Buffer.from(reply.body as Uint8Array).toString();
}

/** The events of a stream: name and data. */
export function eventsOf(text: string): { event: string; data: Record<string, unknown> }[] {
  return text
    .split("\n\n")
    .filter((block) => block !== "")
    .map((block) => {
      const [, event = "", data = ""] = /^event: (.*)\ndata: (.*)$/.exec(block) ?? [];
      return { event, data: JSON.parse(data) };
    });
}
