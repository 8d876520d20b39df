import { describe, expect, test } from "bun:test";
import { parseJson } from "../../src/json/lossless.ts";
import type { JsonObject } from "../../src/json/values.ts";
import { matchesReplayedReply } from "../../src/trajectory/replayed-reply.ts";

const message = (value: object) => parseJson(JSON.stringify(value)) as JsonObject;

function matches(stored: object, replayed: object): boolean {
  const role = "assistant";
  return matchesReplayedReply(message({ role, ...stored }), message({ role, ...replayed }));
}

const call = (args: string | object, id: string | null = "c1", name = "f") => ({
  ...{ id, index: 0, type: "function" },
  function: { name, arguments: args },
});

describe("matchesReplayedReply() does not mind", () => {
  test.each([
    ["white space around content", { content: "\n\nhi " }, { content: "hi" }],
    ["content of white space that vanished", { content: "\n\n" }, { content: null }],
    ["content that became an empty list", { content: "" }, { content: [] }],
    ["reasoning that is left out", { content: "a", reasoning_content: "why" }, { content: "a" }],
    [
      "white space around reasoning",
      { content: "a", reasoning_content: "why\n" },
      { content: "a", reasoning_content: "why" },
    ],
    [
      "arguments that are written anew",
      { content: "", tool_calls: [call('{"b": 1.0, "a": "é"}')] },
      { content: "", tool_calls: [call('{"a":"\\u00e9","b":1}')] },
    ],
    [
      "numbers after a round trip through doubles",
      {
        content: "",
        tool_calls: [call('{"a": 12345678901234567890, "b": 0.1000000000000000001}')],
      },
      { content: "", tool_calls: [call('{"a":12345678901234567000,"b":0.1}')] },
    ],
    [
      "a call that had no id",
      { content: "", tool_calls: [call("{}", null)] },
      { content: "", tool_calls: [call("{}", "made up")] },
    ],
    [
      "arguments that were no JSON",
      { content: "", tool_calls: [call('{"a": ')] },
      { content: "", tool_calls: [call("{}")] },
    ],
    [
      "members that no template reads",
      { content: "a", refusal: null, annotations: [] },
      { content: "a", name: "x" },
    ],
  ])("%s", (_what, stored, replayed) => {
    expect(matches(stored, replayed)).toBe(true);
  });
});

describe("matchesReplayedReply() minds", () => {
  test.each([
    ["other content", { content: "a" }, { content: "b" }],
    ["inner white space", { content: "a b" }, { content: "a  b" }],
    ["content that is no text", { content: { a: 1 } }, { content: { a: 2 } }],
    [
      "other reasoning",
      { content: "a", reasoning_content: "why" },
      { content: "a", reasoning_content: "because" },
    ],
    ["reasoning that was none", { content: "a" }, { content: "a", reasoning_content: "why" }],
    [
      "another argument",
      { content: "", tool_calls: [call('{"a": 1}')] },
      { content: "", tool_calls: [call('{"a": 2}')] },
    ],
    [
      "another name",
      { content: "", tool_calls: [call("{}")] },
      { content: "", tool_calls: [call("{}", "c1", "g")] },
    ],
    [
      "another id",
      { content: "", tool_calls: [call("{}")] },
      { content: "", tool_calls: [call("{}", "c2")] },
    ],
    ["a call less", { content: "", tool_calls: [call("{}")] }, { content: "" }],
    [
      "another order of calls",
      { content: "", tool_calls: [call("{}", "c1"), call("{}", "c2")] },
      { content: "", tool_calls: [call("{}", "c2"), call("{}", "c1")] },
    ],
  ])("%s", (_what, stored, replayed) => {
    expect(matches(stored, replayed)).toBe(false);
  });

  test("a change of what the client itself wrote", () => {
    const stored = message({ role: "user", content: "a " });
    expect(matchesReplayedReply(stored, message({ role: "user", content: "a " }))).toBe(true);
    expect(matchesReplayedReply(stored, message({ role: "user", content: "a" }))).toBe(false);
    expect(matchesReplayedReply(stored, message({ role: "tool", content: "a " }))).toBe(false);
  });
});
