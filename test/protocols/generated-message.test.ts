import { describe, expect, test } from "bun:test";
import { readGeneratedMessage } from "../../src/protocols/generated-message.ts";
import { call, jsonObject } from "./answers.ts";

const read = (message: object) => readGeneratedMessage(jsonObject(message), "ab");

describe("readGeneratedMessage()", () => {
  test("takes a message apart", () => {
    const parts = read({
      content: "hi",
      reasoning_content: "why",
      tool_calls: [call("f", '{"a": 1.0}')],
    });
    expect(parts).toEqual({
      reasoning: "why",
      content: "hi",
      calls: [{ id: "call-f", name: "f", argumentsText: '{"a": 1.0}' }],
    });
  });

  test.each([
    [{ content: "" }, null],
    [{ content: null }, null],
    [{ content: " \n" }, " \n"],
    [{ content: "\n\n", tool_calls: [call("f", "{}")] }, null],
    [{ content: "\nhi", tool_calls: [call("f", "{}")] }, "\nhi"],
  ])("shows the content of %j as %j", (message, content) => {
    expect(read(message).content).toBe(content);
  });

  test.each([
    ['{"a": 1}', '{"a": 1}'],
    ["", "{}"],
    [null, "{}"],
    ['{"a": ', "{}"],
    ["[1]", "{}"],
    ['{"a": 1e400}', "{}"],
    ['{"a": "\\ud800"}', '{"a": "\\ud800"}'],
    [{ a: 1 }, '{"a":1}'],
  ])("arguments %j are %s", (given, argumentsText) => {
    const parts = read({ content: "", tool_calls: [call("f", given as string)] });
    expect(parts.calls[0]?.argumentsText).toBe(argumentsText);
  });

  test("names calls that have no id by turn and place", () => {
    const parts = read({ content: "", tool_calls: [call("f", "{}", null), call("g", "{}", "")] });
    expect(parts.calls.map(({ id }) => id)).toEqual(["call_ab_0", "call_ab_1"]);
  });
});
