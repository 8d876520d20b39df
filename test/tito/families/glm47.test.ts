import { expect, test } from "bun:test";
import { question, storedHistory, toolResult } from "../../fixtures/conversation.ts";
import { familyOnTest } from "../../fixtures/family-checkpoints.ts";

/** As GLM's own: a role's marker opens a message, and nothing closes it. */
const template = `[gMASK]<sop>{% for m in messages -%}
{{ '<|observation|>' if m.role == 'tool' else '<|' ~ m.role ~ '|>' }}{{ m.content }}
{%- endfor %}{{ '<|assistant|>' if add_generation_prompt }}{{ 'late' if clear_thinking }}`;

const glm47 = familyOnTest("glm47", template);

test("glm47 renders with the checkpoint's template and clear_thinking off", async () => {
  expect(await glm47.prompt(`[${question}]`)).toBe("[gMASK]<sop><|user|>q<|assistant|>");
  expect(() => familyOnTest("glm47", template, '{"clear_thinking": true}')).toThrow(
    "clear_thinking=True conflicts with the value registered for GLM47TITOTokenizer: False",
  );
});

test("glm47 drops the opener that the model stopped at, whether it fits or not", async () => {
  expect(glm47.tito.maxTrimTokens).toBe(1);
  for (const opener of ["<|user|>", "<|observation|>"]) {
    expect(await glm47.appended(storedHistory, `[${toolResult}]`, opener)).toBe(
      "<|observation|>r<|assistant|>",
    );
  }
  expect(await glm47.appended(storedHistory, `[${question}]`, "<|im_end|>")).toBe(
    "<|im_end|><|user|>q<|assistant|>",
  );
});
