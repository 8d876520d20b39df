import { describe, expect, test } from "bun:test";
import { parseJson } from "../../src/json/lossless.ts";
import type { JsonObject } from "../../src/json/values.ts";
import { matchesReplayedReply, pairedCalls } from "../../src/trajectory/replayed-reply.ts";

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
      "unreadable arguments that come back as they are",
      { content: "", tool_calls: [call('{"a": ')] },
      { content: "", tool_calls: [call('{"a": ', "c2")] },
    ],
    [
      "arguments that no client can read",
      { content: "", tool_calls: [call('{"b": 1e400}', null)] },
      { content: "", tool_calls: [call("{}")] },
    ],
    [
      "arguments that the client made anew, under the call's id",
      { content: "", tool_calls: [call('{"command": "cd /repo && ls", "replace_all": "false"}')] },
      { content: "", tool_calls: [call('{"command":"ls","replace_all":false}')] },
    ],
    [
      "another id of the same call",
      { content: "", tool_calls: [call('{"a": 1}', "functions.f:0")] },
      { content: "", tool_calls: [call('{"a":1}', "functions_f_0")] },
    ],
    [
      "another order of calls",
      { content: "", tool_calls: [call("{}", "c1"), call('{"a": 1}', "c2")] },
      { content: "", tool_calls: [call('{"a":2}', "c2"), call("{}", "c1")] },
    ],
    [
      "content beside calls that is left out",
      { content: "Let me look.", tool_calls: [call("{}")] },
      { content: "", tool_calls: [call("{}")] },
    ],
    ["a word for no content", { content: "\n" }, { content: "(no content)" }],
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
    [
      "arguments made up for those that no client can read",
      { content: "", tool_calls: [call('{"a": ')] },
      { content: "", tool_calls: [call('{"a":1}', "c2")] },
    ],
    [
      "arguments made up for a call whose key stands twice",
      { content: "", tool_calls: [call('{"a": 1, "a": 2}')] },
      { content: "", tool_calls: [call('{"a":3}', "c2")] },
    ],
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
      "another argument of a call without its id",
      { content: "", tool_calls: [call('{"a": 1}')] },
      { content: "", tool_calls: [call('{"a": 2}', "c2")] },
    ],
    [
      "another name",
      { content: "", tool_calls: [call("{}")] },
      { content: "", tool_calls: [call("{}", "c1", "g")] },
    ],
    [
      "another argument of a call that had no id",
      { content: "", tool_calls: [call('{"a": 1}', null)] },
      { content: "", tool_calls: [call('{"a": 2}')] },
    ],
    ["a call less", { content: "", tool_calls: [call("{}")] }, { content: "" }],
    [
      "a call more",
      { content: "", tool_calls: [call("{}")] },
      { content: "", tool_calls: [call("{}"), call("{}", "c2")] },
    ],
    ["content that is left out", { content: "a" }, { content: "" }],
    ["a word in place of content", { content: "a" }, { content: "(no content)" }],
    [
      "other content beside calls",
      { content: "a", tool_calls: [call("{}")] },
      { content: "b", tool_calls: [call("{}")] },
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

test("pairedCalls() pairs by id before it pairs by arguments", () => {
  const stored = message({ tool_calls: [call("{}", "c1"), call("{}", "c2"), call("{}", null)] });
  const replayed = message({ tool_calls: [call("{}", "x"), call("{}", "c2"), call("{}", "c1")] });
  const ids = pairedCalls(stored, replayed)?.map((pair) => [
    pair.stored.get("id"),
    pair.replayed.get("id"),
  ]);
  expect(ids).toEqual([
    ["c1", "c1"],
    ["c2", "c2"],
    [null, "x"],
  ]);
  expect(pairedCalls(stored, message({}))).toBeNull();
});
