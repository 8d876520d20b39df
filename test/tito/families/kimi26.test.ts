import { expect, test } from "bun:test";
import { kimi26Family } from "../../../src/tito/families/kimi26.ts";
import { resolveFamilyTokens } from "../../../src/tito/family-tokens.ts";
import { question, storedHistory } from "../../fixtures/conversation.ts";
import { familyCheckpoint, familyOnTest } from "../../fixtures/family-checkpoints.ts";

const template = `{% for m in messages -%}
<|im_{{ m.role }}|>{{ m.role }}<|im_middle|>{{ m.content }}<|im_end|>
{%- endfor %}{{ '<|im_assistant|>assistant<|im_middle|>' if add_generation_prompt }}
{{- '' if preserve_thinking else 'lost' }}`;

const kimi26 = familyOnTest("kimi26", template);

test("kimi26 renders with the checkpoint's template and keeps the thinking of the past", async () => {
  expect(await kimi26.prompt(`[${question}]`)).toBe(
    "<|im_user|>user<|im_middle|>q<|im_end|><|im_assistant|>assistant<|im_middle|>",
  );
});

test("kimi26 puts nothing between a turn and what follows", async () => {
  expect(await kimi26.appended(storedHistory, `[${question}]`, "<|im_end|>")).toBe(
    "<|im_end|><|im_user|>user<|im_middle|>q<|im_end|><|im_assistant|>assistant<|im_middle|>",
  );
});

test("kimi26 starts no segment at <|im_middle|>", async () => {
  const { segmenting } = resolveFamilyTokens(kimi26Family, "kimi26", familyCheckpoint("kimi26"));
  const texts = await kimi26.texts(segmenting);
  expect(texts).toContain("<|im_user|>");
  expect(texts).not.toContain("<|im_middle|>");
});
