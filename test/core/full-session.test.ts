import { expect, test } from "bun:test";
import { fullSessionCompletion } from "../../src/core/full-session.ts";

test("fullSessionCompletion() is a chat completion that ended by length", () => {
  const { text, choice, assistantMessage } = fullSessionCompletion("ab", "m", 12);
  expect(JSON.parse(text)).toEqual({
    id: "chatcmpl-ab",
    object: "chat.completion",
    created: expect.any(Number),
    model: "m",
    choices: [
      {
        index: 0,
        message: { role: "assistant", content: "" },
        logprobs: null,
        finish_reason: "length",
      },
    ],
    usage: { prompt_tokens: 12, completion_tokens: 0, total_tokens: 12 },
  });
  expect(choice.get("message")).toBe(assistantMessage);
});

test("fullSessionCompletion() names no model when the request named none", () => {
  expect(JSON.parse(fullSessionCompletion("ab", null, 1).text).model).toBe("");
});
