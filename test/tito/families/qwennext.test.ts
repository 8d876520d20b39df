import { expect, test } from "bun:test";
import { question, storedHistory, toolResult } from "../../fixtures/conversation.ts";
import { familyOnTest } from "../../fixtures/family-checkpoints.ts";

const qwenNext = familyOnTest("qwennext");

test("qwennext opens the thinking of the answer, whatever it is asked", async () => {
  const off = familyOnTest("qwennext", "", '{"enable_thinking": false}');
  for (const family of [qwenNext, off]) {
    expect(await family.prompt(`[${question}]`)).toBe(
      "<|im_start|>user\nq<|im_end|>\n<|im_start|>assistant\n<think>\n",
    );
  }
});

test("qwennext is joined like qwen3", async () => {
  expect(await qwenNext.appended(storedHistory, `[${toolResult}]`, "<|im_end|>")).toBe(
    "<|im_end|>\n<|im_start|>user\n<tool_response>\nr\n</tool_response><|im_end|>\n" +
      "<|im_start|>assistant\n<think>\n",
  );
});
