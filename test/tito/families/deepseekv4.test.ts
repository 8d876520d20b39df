import { expect, test } from "bun:test";
import { deepseekV4Family } from "../../../src/tito/families/deepseekv4.ts";
import { resolveFamilyTokens } from "../../../src/tito/family-tokens.ts";
import {
  question,
  storedHistory,
  toolResult,
  wholeConversation,
} from "../../fixtures/conversation.ts";
import { familyCheckpoint, familyOnTest } from "../../fixtures/family-checkpoints.ts";

const deepseek = familyOnTest("deepseekv4");
const end = "<｜end▁of▁sentence｜>";

test("deepseekv4 puts a result and the question behind it into one turn", async () => {
  const run = `[${toolResult}, ${question}]`;
  expect(await deepseek.appended(storedHistory, run, end)).toBe(
    `${end}<｜User｜><tool_result>r</tool_result>\n\nq<｜Assistant｜><think>`,
  );
});

test("deepseekv4 appends what the whole conversation renders to", async () => {
  const whole = await deepseek.prompt(wholeConversation);
  const stored = await deepseek.prompt(storedHistory);
  const rest = wholeConversation.slice(storedHistory.length).replace(/^,? ?/, "[");
  const appended = await deepseek.appended(storedHistory, rest, end);
  expect(whole).toBe(stored + appended.slice(end.length));
});

test("deepseekv4 orders results by the latest calls, also behind a turn without any", async () => {
  const calls = `{"role": "assistant", "content": "", "tool_calls": [
    {"id": "a", "function": {"name": "f", "arguments": "{}"}},
    {"id": "b", "function": {"name": "f", "arguments": "{}"}}]}`;
  const late =
    '[{"role": "tool", "tool_call_id": "b", "content": "B"}, {"role": "tool", ' +
    '"tool_call_id": "a", "content": "A"}]';
  for (const stored of [
    `[${question}, ${calls}]`,
    `[${question}, ${calls}, {"role": "user", ` +
      '"content": "?"}, {"role": "assistant", "content": "."}]',
  ]) {
    expect(await deepseek.appended(stored, late, end)).toBe(
      `${end}<｜User｜><tool_result>A</tool_result>\n\n<tool_result>B</tool_result>` +
        "<｜Assistant｜><think>",
    );
  }
});

test("deepseekv4 does not count the opener of an answer at the end", async () => {
  const checkpoint = familyCheckpoint("deepseekv4");
  const { trailing, segmenting } = resolveFamilyTokens(deepseekV4Family, "deepseekv4", checkpoint);
  expect(await deepseek.texts(trailing)).toEqual(["<｜Assistant｜>", "<think>", "</think>"]);
  expect(await deepseek.texts(segmenting)).toEqual(["<｜User｜>", "<｜Assistant｜>"]);
});
