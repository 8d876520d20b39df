import { expect, test } from "bun:test";
import {
  question,
  storedHistory,
  toolResult,
  wholeConversation,
} from "../../fixtures/conversation.ts";
import { familyOnTest } from "../../fixtures/family-checkpoints.ts";

const qwen35 = familyOnTest("qwen35");

test("qwen35 writes calls as XML and keeps the thinking of every turn", async () => {
  expect(await qwen35.prompt(wholeConversation)).toBe(
    "<|im_start|>user\nq<|im_end|>\n" +
      "<|im_start|>assistant\n<think>\nt\n</think>\n\na\n\n" +
      "<tool_call>\n<function=f>\n<parameter=x>\n1.0\n</parameter>\n" +
      "<parameter=s>\nv\n</parameter>\n</function>\n</tool_call><|im_end|>\n" +
      "<|im_start|>user\n<tool_response>\nr\n</tool_response><|im_end|>\n" +
      "<|im_start|>assistant\n<think>\nu\n</think>\n\nb<|im_end|>\n" +
      "<|im_start|>user\nq<|im_end|>\n<|im_start|>assistant\n<think>\n",
  );
});

test("qwen35 needs no user message before a result, and no system message after the first", async () => {
  expect(await qwen35.appended(storedHistory, `[${toolResult}]`, "<|im_end|>")).toBe(
    "<|im_end|>\n<|im_start|>user\n<tool_response>\nr\n</tool_response><|im_end|>\n" +
      "<|im_start|>assistant\n<think>\n",
  );
  expect([...qwen35.tito.allowedAppendRoles]).toEqual(["tool", "user", "assistant"]);
  await expect(qwen35.prompt(`[${question}, {"role": "system", "content": "s"}]`)).rejects.toThrow(
    "System message must be at the beginning.",
  );
});

test("qwen35 numbers images over the whole conversation when asked", async () => {
  const numbered = familyOnTest("qwen35", "", '{"add_vision_id": true}');
  const image = '{"role": "user", "content": [{"type": "image"}, {"text": "x"}]}';
  const mark = "<|vision_start|><|image_pad|><|vision_end|>x";
  expect(await numbered.prompt(`[${image}, ${image}]`)).toBe(
    `<|im_start|>user\nPicture 1: ${mark}<|im_end|>\n` +
      `<|im_start|>user\nPicture 2: ${mark}<|im_end|>\n<|im_start|>assistant\n<think>\n`,
  );
});
