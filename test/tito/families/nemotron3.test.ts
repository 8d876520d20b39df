import { expect, test } from "bun:test";
import { question, storedHistory } from "../../fixtures/conversation.ts";
import { familyOnTest } from "../../fixtures/family-checkpoints.ts";

const template = `{% for m in messages %}<|im_start|>{{ m.role }}
{{ m.content }}<|im_end|>
{% endfor %}{{ '<|im_start|>assistant\\n' if add_generation_prompt }}
{{- 'cut' if truncate_history_thinking }}`;

const nemotron3 = familyOnTest("nemotron3", template);

test("nemotron3 renders with the checkpoint's template and keeps the thinking of the past", async () => {
  expect(await nemotron3.prompt(`[${question}]`)).toBe(
    "<|im_start|>user\nq<|im_end|>\n<|im_start|>assistant\n",
  );
});

test("nemotron3 completes the line that a turn ends", async () => {
  expect(await nemotron3.appended(storedHistory, `[${question}]`, "<|im_end|>")).toBe(
    "<|im_end|>\n<|im_start|>user\nq<|im_end|>\n<|im_start|>assistant\n",
  );
});
