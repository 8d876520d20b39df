import { expect, test } from "bun:test";
import {
  question,
  storedHistory,
  toolResult,
  wholeConversation,
} from "../../fixtures/conversation.ts";
import { familyOnTest } from "../../fixtures/family-checkpoints.ts";

const qwen3 = familyOnTest("qwen3");

test("qwen3 keeps the thinking of every turn, and opens the answer without one", async () => {
  expect(await qwen3.prompt(wholeConversation)).toBe(
    "<|im_start|>user\nq<|im_end|>\n" +
      "<|im_start|>assistant\n<think>\nt\n</think>\n\na\n" +
      '<tool_call>\n{"name": "f", "arguments": {"x": 1.0, "s": "v"}}\n</tool_call><|im_end|>\n' +
      "<|im_start|>user\n<tool_response>\nr\n</tool_response><|im_end|>\n" +
      "<|im_start|>assistant\n<think>\nu\n</think>\n\nb<|im_end|>\n" +
      "<|im_start|>user\nq<|im_end|>\n<|im_start|>assistant\n",
  );
});

test("qwen3 completes the line that a turn ends", async () => {
  expect(await qwen3.appended(storedHistory, `[${toolResult}]`, "<|im_end|>")).toBe(
    "<|im_end|>\n<|im_start|>user\n<tool_response>\nr\n</tool_response><|im_end|>\n" +
      "<|im_start|>assistant\n",
  );
  const cutOff = await qwen3.appended(storedHistory, `[${question}]`, "<think>");
  expect(cutOff).toStartWith("<think><|im_start|>user\nq");
});

test("qwen3 takes all roles", () => {
  expect([...qwen3.tito.allowedAppendRoles]).toEqual(["tool", "user", "system", "assistant"]);
});
