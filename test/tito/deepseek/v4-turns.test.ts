import { describe, expect, test } from "bun:test";
import { turnsOf } from "../../../src/tito/deepseek/v4-turns.ts";
import { objects } from "../../fixtures/json.ts";

function blocks(messages: string): string[][] {
  return turnsOf(objects(messages)).map((turn) => turn.blocks.map((block) => block.text));
}

describe("turnsOf()", () => {
  test("joins results and user messages that stand together", () => {
    const messages = `[{"role": "system", "content": "s"}, {"role": "user", "content": "a"},
      {"role": "tool", "content": "r"}, {"role": "user", "content": "b"},
      {"role": "assistant", "content": "c"}, {"role": "tool", "content": null}]`;
    expect(blocks(messages)).toEqual([
      [],
      ["a", "<tool_result>r</tool_result>", "b"],
      [],
      ["<tool_result>None</tool_result>"],
    ]);
    expect(turnsOf(objects(messages)).map((turn) => turn.index)).toEqual([0, 1, 4, 5]);
  });

  test("leaves a user message out of the turn of a task, but not a result", () => {
    const messages = `[{"role": "user", "content": "a", "task": "title"},
      {"role": "tool", "content": "r"}, {"role": "user", "content": "b"}]`;
    expect(blocks(messages)).toEqual([["a", "<tool_result>r</tool_result>"], ["b"]]);
    expect(turnsOf(objects(messages)).map((turn) => turn.task)).toEqual(["title", null]);
  });

  test("puts results in the order of the calls, unknown ones first, texts where they are", () => {
    const messages = `[{"role": "assistant", "tool_calls": [{"id": "a"}, {"id": "b"},
        {"id": "", "function": {"id": "c"}}]},
      {"role": "tool", "tool_call_id": "c", "content": "C"}, {"role": "user", "content": "t"},
      {"role": "tool", "tool_call_id": "b", "content": "B"},
      {"role": "tool", "tool_call_id": "x", "content": "X"}]`;
    expect(blocks(messages)[1]).toEqual([
      "<tool_result>X</tool_result>",
      "t",
      "<tool_result>B</tool_result>",
      "<tool_result>C</tool_result>",
    ]);
  });

  test("joins the texts of a result's parts and names the others", () => {
    const parts = '[{"type": "text", "text": "a"}, {"type": "image"}, {"type": "text"}, {}]';
    expect(blocks(`[{"role": "tool", "content": ${parts}}]`)).toEqual([
      ["<tool_result>a\n\n[Unsupported image]\n\n\n\n[Unsupported None]</tool_result>"],
    ]);
  });

  test("refuses content that is no text, with the index of its message", () => {
    const given = '[{"role": "user", "content": "a"}, {"role": "user", "content": [1]}]';
    expect(() => blocks(given)).toThrow(".content must be a string");
    expect(() => blocks('[{"role": "tool", "content": ["x"]}]')).toThrow(".content[0] must be");
  });
});
