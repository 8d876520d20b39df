import { expect, test } from "bun:test";
import { complete, type EngineTokenizer } from "../../src/mock-engine/completion.ts";

/** One token a character. */
const tokenizer: EngineTokenizer = {
  encode: (text) => [...text].map((character) => character.codePointAt(0) ?? 0),
  decode: (ids) => String.fromCodePoint(...ids),
  tokenId: () => undefined,
};
const stopToken = 0;
const call = { name: "run", arguments: "{}" };

test("complete() ends whole replies with the stop token", async () => {
  expect(await complete({ content: "ab" }, tokenizer, stopToken, null)).toEqual({
    tokens: [97, 98, 0],
    content: "ab",
    reasoning: null,
    toolCalls: [],
    finishReason: "stop",
    stopToken,
  });
  const withCall = await complete({ toolCalls: [call] }, tokenizer, stopToken, null);
  expect(withCall).toMatchObject({ content: "", toolCalls: [call], finishReason: "tool_calls" });
  const named = await complete({ finishReason: "abort" }, tokenizer, stopToken, null);
  expect(named).toMatchObject({ tokens: [0], finishReason: "abort" });
});

test("complete() counts the stop token against the limit", async () => {
  expect(await complete({ content: "ab" }, tokenizer, stopToken, 3)).toMatchObject({
    tokens: [97, 98, 0],
    finishReason: "stop",
  });
  expect(await complete({ content: "ab" }, tokenizer, stopToken, 2)).toMatchObject({
    tokens: [97, 98],
    content: "ab",
    finishReason: "length",
    stopToken: null,
  });
});

test("complete() finds no tool call in a reply that was cut", async () => {
  const cut = await complete({ content: "ab", toolCalls: [call] }, tokenizer, stopToken, 4);
  expect(cut).toMatchObject({ content: "ab\n<", toolCalls: [], finishReason: "length" });
});
