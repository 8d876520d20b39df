import { expect, test } from "bun:test";
import { tools, wholeConversation } from "../../fixtures/conversation.ts";
import { familyOnTest } from "../../fixtures/family-checkpoints.ts";

const kimi25 = familyOnTest("kimi25");

test("kimi25 declares tools as TypeScript and keeps the thinking of every turn", async () => {
  expect(await kimi25.prompt(wholeConversation, tools)).toBe(
    "<|im_system|>tool_declare<|im_middle|># Tools\n\n## functions\nnamespace functions {\n" +
      "type f = (_: {}) => any;\n}\n<|im_end|>" +
      "<|im_user|>user<|im_middle|>q<|im_end|>" +
      "<|im_assistant|>assistant<|im_middle|><think>t</think>a<|tool_calls_section_begin|>" +
      '<|tool_call_begin|>c1<|tool_call_argument_begin|>{"x": 1.0, "s": "v"}<|tool_call_end|>' +
      "<|tool_calls_section_end|><|im_end|>" +
      "<|im_system|>tool<|im_middle|>## Return of c1\nr<|im_end|>" +
      "<|im_assistant|>assistant<|im_middle|><think>u</think>b<|im_end|>" +
      "<|im_user|>user<|im_middle|>q<|im_end|><|im_assistant|>assistant<|im_middle|><think>",
  );
});

test("kimi25 closes thinking at once when it is off", async () => {
  const off = familyOnTest("kimi25", "", '{"thinking": false}');
  const prompt = await off.prompt(wholeConversation);
  expect(prompt).toEndWith("<|im_assistant|>assistant<|im_middle|><think></think>");
  expect(prompt).toContain("<think></think>a<|tool_calls_section_begin|>");
});

test("kimi25 writes tools as JSON where they have no declaration", async () => {
  const odd = '[{"type": "function", "function": {"name": "f", "parameters": {"properties": 1}}}]';
  expect(await kimi25.prompt('[{"role": "user", "content": "q"}]', odd)).toStartWith(
    "<|im_system|>tool_declare<|im_middle|>" +
      '[{"function":{"description":null,"name":"f","parameters":{"properties":1},' +
      '"strict":false},"type":"function"}]<|im_end|>',
  );
});
