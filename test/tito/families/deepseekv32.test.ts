import { expect, test } from "bun:test";
import { question, storedHistory, toolResult } from "../../fixtures/conversation.ts";
import { familyOnTest } from "../../fixtures/family-checkpoints.ts";

const deepseek = familyOnTest("deepseekv32");

test("deepseekv32 renders with the model's encoder and tells the backend that it thinks", async () => {
  expect(await deepseek.prompt(`[${question}]`)).toBe(
    "<｜begin▁of▁sentence｜><｜User｜>q<｜Assistant｜><think>",
  );
  expect(deepseek.tito.chatTemplateKwargs.get("thinking")).toBe(true);
});

test("deepseekv32 appends results behind the calls of the stored turn", async () => {
  const end = "<｜end▁of▁sentence｜>";
  expect(await deepseek.appended(storedHistory, `[${toolResult}]`, end)).toBe(
    `${end}\n\n<function_results>\n<result>r</result>\n</function_results>\n\n<think>`,
  );
});
