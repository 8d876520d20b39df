/**
 * What a translation sends out, it can read back: the reply of any model, through the types of a
 * client whose numbers are doubles, is the stored message again.
 */
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { parseJson, writeJson } from "../../src/json/lossless.ts";
import type { JsonObject, JsonValue } from "../../src/json/values.ts";
import { readConversation } from "../../src/protocols/anthropic-messages/conversation.ts";
import { messageOf, messageParts } from "../../src/protocols/anthropic-messages/reply.ts";
import { readInput } from "../../src/protocols/openai-responses/input.ts";
import { responseParts } from "../../src/protocols/openai-responses/reply.ts";
import { matchesReplayedReply } from "../../src/trajectory/replayed-reply.ts";
import { seedOf } from "../harness/random.ts";
import { answerOf, jsonObject } from "./answers.ts";

const seed = seedOf("protocol round trip");
const runs = { seed, numRuns: 300 };

const someText = fc.oneof(
  fc.constantFrom("", " ", "\n\n", "hi", " hi\n"),
  fc.string({ unit: "grapheme", maxLength: 20 }),
);

const someArguments = fc.oneof(
  {
    weight: 4,
    arbitrary: fc
      .dictionary(fc.string({ maxLength: 5 }), fc.jsonValue())
      .map((value) => JSON.stringify(value)),
  },
  { weight: 1, arbitrary: fc.bigInt().map((number) => `{"a": ${number}, "b": ${number}.0e-3}`) },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      "",
      "{",
      "[]",
      "null",
      '{"input": "x"}',
      '{"a":1,"a":2}',
      '{"a": NaN}',
      '{"b": 1e400}',
      '{"b": "\\ud800", "\\udfff": 1}',
    ),
  },
);

const someCall = fc.record({
  id: fc.oneof(fc.constant(null), fc.constant(""), fc.string({ minLength: 1, maxLength: 8 })),
  index: fc.nat(3),
  type: fc.constant("function"),
  function: fc.record({
    name: fc.oneof(fc.constant("f"), fc.string({ minLength: 1, maxLength: 8 })),
    arguments: someArguments,
  }),
});

const someMessage = fc.record({
  content: someText,
  reasoning_content: fc.option(someText),
  tool_calls: fc.option(fc.array(someCall, { maxLength: 3 })),
});

/** As a client in JavaScript has it, and sends it again. */
function throughClient(value: JsonValue): JsonValue {
  return parseJson(JSON.stringify(JSON.parse(writeJson(value))));
}

const offered = new Map([["f", { name: "f", namespace: null, isCustom: true, clientTool: null }]]);

const noTurns = { messagesThrough: () => null };

describe("the stored message is found again in what a client sends back", () => {
  test("of Anthropic Messages", () => {
    fc.assert(
      fc.property(someMessage, (message) => {
        const answer = answerOf(message);
        const sent = messageOf(messageParts(answer, []));
        const content = throughClient(sent.get("content") ?? null);
        const replayed: JsonObject = new Map<string, JsonValue>([
          ["role", "assistant"],
          ["content", content],
        ]);
        const [read] = readConversation(null, [replayed], noTurns);
        expect(read && matchesReplayedReply(answer.assistantMessage, read)).toBe(true);
      }),
      runs,
    );
  });

  test("of OpenAI Responses, sent or referred to", () => {
    fc.assert(
      fc.property(someMessage, fc.boolean(), (message, isReferred) => {
        const answer = answerOf(message);
        const asked = { request: new Map(), offered };
        const { items } = responseParts(answer, asked);
        const sent = throughClient([...items]) as JsonObject[];
        const referred = sent.map((item) =>
          jsonObject({ type: "item_reference", id: item.get("id") }),
        );
        const earlier = { messagesThrough: () => [answer.assistantMessage] };
        const { messages: input } = readInput(
          new Map([["input", isReferred ? referred : sent]]),
          isReferred ? earlier : noTurns,
        );
        expect(input).toHaveLength(1);
        expect(input[0] && matchesReplayedReply(answer.assistantMessage, input[0])).toBe(true);
      }),
      runs,
    );
  });
});
