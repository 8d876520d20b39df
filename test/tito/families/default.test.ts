import { expect, test } from "bun:test";
import { question, storedHistory } from "../../fixtures/conversation.ts";
import { familyOnTest } from "../../fixtures/family-checkpoints.ts";

const family = familyOnTest("default", "{% for m in messages %}[{{ m.content }}]{% endfor %}");

test("default renders with the checkpoint's template and puts nothing between turns", async () => {
  expect(await family.prompt(`[${question}]`)).toBe("[q]");
  expect(await family.appended(storedHistory, `[${question}]`, "<|im_end|>")).toBe("<|im_end|>[q]");
  expect([...family.tito.allowedAppendRoles]).toEqual(["tool", "user", "system", "assistant"]);
});
