import { describe, expect, test } from "bun:test";
import { titoFamilies } from "../../src/config.ts";
import { dummyConversation, latestTurns, withRenderableCalls } from "../../src/tito/append-base.ts";
import { familyOnTest } from "../fixtures/family-checkpoints.ts";
import { object, objects } from "../fixtures/json.ts";

test("dummyConversation() keeps the stored calls and nothing else of the turn", () => {
  const stored = objects(`[{"role": "user", "content": "q"}, {"role": "assistant",
    "content": "a", "reasoning_content": "t", "tool_calls": [{"id": "c"}]}]`);
  expect(dummyConversation(stored)).toEqual([
    object('{"role": "system", "content": "dummy system"}'),
    object(`{"role": "assistant", "content": "", "reasoning_content": " ",
      "tool_calls": [{"id": "c"}]}`),
  ]);
  const plain = dummyConversation(objects('[{"role": "assistant", "tool_calls": null}]'));
  expect(plain[1]?.get("tool_calls")).toEqual([]);
});

test("latestTurns() are the stored turn and the latest calls, without what else their turn says", () => {
  const [question, caller, answer] = objects(`[{"role": "user"},
    {"role": "assistant", "tool_calls": [{"id": "c"}]}, {"role": "assistant"}]`);
  const withTask = new Map(caller).set("task", "title");
  expect(latestTurns([question, withTask, answer] as never)).toEqual([caller, answer] as never);
  expect(latestTurns([question, caller] as never)).toEqual([caller] as never);
  expect(latestTurns([question, answer] as never)).toEqual([answer] as never);
  expect(latestTurns([])).toEqual([]);
});

/** As checkpoints have it that write each argument: no text has items. */
const strictTemplate =
  "{% for m in messages %}<|im_start|>{{ m.role }}\n{{ m.content }}" +
  "{% for c in m.tool_calls or [] %}{{ c.function.name }}" +
  "{% for k, v in c.function.arguments.items() %}{{ k }}={{ v }}{% endfor %}{% endfor %}" +
  "<|im_end|>\n{% endfor %}{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}";

const caller = (toolArguments: unknown) =>
  JSON.stringify([
    { role: "user", content: "q" },
    {
      role: "assistant",
      content: "let me see",
      tool_calls: [
        { id: "a", type: "function", function: { name: "f", arguments: '{"x": 1}' } },
        { id: "b", type: "function", function: { name: "g", arguments: toolArguments } },
      ],
    },
  ]);

const results = JSON.stringify([
  { role: "tool", tool_call_id: "a", name: "f", content: "one" },
  { role: "tool", tool_call_id: "b", name: "g", content: "two" },
]);

describe.each(titoFamilies)("%s", (family) => {
  test("what follows a call does not depend on the arguments that the model wrote", async () => {
    const { appended } = familyOnTest(family, strictTemplate);
    const expected = await appended(caller('{"y": "z"}'), results, "<|im_end|>");
    for (const written of ["nope", "", "{'x':1}", "{", "[1]", '"x"', "5", "null", "NaN", null]) {
      const found = await appended(caller(written), results, "<|im_end|>");
      expect(found, `arguments ${written}`).toBe(expected);
    }
  });
});

test("withRenderableCalls() changes what no template can take, and nothing else", () => {
  const turn = object(`{"role": "assistant", "content": "a", "tool_calls": [
    {"id": "a", "function": {"name": "f", "arguments": "{ \\"x\\": 1.0 }"}},
    {"id": "b", "function": {"name": "g", "arguments": "nope"}}]}`);
  expect(withRenderableCalls(turn)).toEqual(
    object(`{"role": "assistant", "content": "a", "tool_calls": [
      {"id": "a", "function": {"name": "f", "arguments": "{ \\"x\\": 1.0 }"}},
      {"id": "b", "function": {"name": "g", "arguments": "{}"}}]}`),
  );
  const plain = object('{"role": "assistant", "tool_calls": null}');
  expect(withRenderableCalls(plain)).toBe(plain);
});
