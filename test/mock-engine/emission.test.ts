import { expect, test } from "bun:test";
import { emittedText, parseCutText } from "../../src/mock-engine/emission.ts";

const call = { name: "run", arguments: '{"cmd": "ls"}' };
const callText = '<tool_call>\n{"name": "run", "arguments": {"cmd": "ls"}}\n</tool_call>';

test("emittedText() lays out reasoning, content and tool calls as Qwen3's template does", () => {
  expect(emittedText({})).toBe("");
  expect(emittedText({ content: "hi" })).toBe("hi");
  expect(emittedText({ reasoning: "hm", content: "hi" })).toBe("<think>\nhm\n</think>\n\nhi");
  expect(emittedText({ reasoning: "" })).toBe("<think>\n\n</think>\n\n");
  expect(emittedText({ toolCalls: [call, call] })).toBe(`${callText}\n${callText}`);
  expect(emittedText({ content: "hi", toolCalls: [call] })).toBe(`hi\n${callText}`);
});

test("emittedText() passes on arguments as they are written", () => {
  const odd = { name: "a", arguments: '{ "b":1.0,\n"2":1e5}' };
  expect(emittedText({ toolCalls: [odd] })).toContain('"arguments": { "b":1.0,\n"2":1e5}}');
});

test("parseCutText() finds what was thought and what was said", () => {
  expect(parseCutText("hel")).toEqual({ content: "hel", reasoning: null });
  expect(parseCutText("<think>\nI wo")).toEqual({ content: "", reasoning: "I wo" });
  expect(parseCutText("<think>\nhm\n</think>\n\nhel")).toEqual({
    content: "hel",
    reasoning: "hm",
  });
});
