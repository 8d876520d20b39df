import { describe, expect, test } from "bun:test";
import { InvalidRequestError } from "../../../src/errors.ts";
import { parseJson } from "../../../src/json/lossless.ts";
import { readConversation } from "../../../src/protocols/anthropic-messages/conversation.ts";
import { plain } from "../answers.ts";

function read(messages: unknown, system: unknown = null): unknown {
  return plain(
    readConversation(parseJson(JSON.stringify(system)), parseJson(JSON.stringify(messages))),
  );
}

const text = (value: string) => ({ type: "text", text: value });
const cached = { cache_control: { type: "ephemeral" } };

describe("readConversation()", () => {
  test.each([
    ["a string", "be brief", [{ role: "system", content: "be brief" }]],
    [
      "blocks",
      [{ ...text("be "), ...cached }, text("brief")],
      [{ role: "system", content: "be brief" }],
    ],
    ["nothing", null, []],
    ["empty", "", []],
  ])("system is %s", (_what, system, expected) => {
    expect(read([], system)).toEqual(expected);
  });

  test("results of tools are messages of their own, in order, texts around them the user's", () => {
    const content = [
      text("a"),
      { type: "tool_result", tool_use_id: "c1", content: "one", is_error: true, ...cached },
      { type: "tool_result", tool_use_id: "c2", content: [text("t"), text("wo")] },
      { type: "tool_result", tool_use_id: "c3" },
      text("b"),
      { ...text("c"), ...cached },
    ];
    expect(read([{ role: "user", content }])).toEqual([
      { role: "user", content: "a" },
      { role: "tool", tool_call_id: "c1", content: "one" },
      { role: "tool", tool_call_id: "c2", content: "two" },
      { role: "tool", tool_call_id: "c3", content: "" },
      { role: "user", content: "bc" },
    ]);
  });

  test("a reply is one message", () => {
    const content = [
      { type: "thinking", thinking: "why", signature: "x" },
      text("he"),
      text("llo"),
      { type: "tool_use", id: "c1", name: "f", input: { a: [1], b: "é" } },
      { type: "tool_use", id: "c2", name: "g" },
    ];
    const fn = (name: string, args: string) => ({ name, arguments: args });
    expect(read([{ role: "assistant", content }])).toEqual([
      {
        role: "assistant",
        content: "hello",
        reasoning_content: "why",
        tool_calls: [
          { id: "c1", type: "function", function: fn("f", '{"a":[1],"b":"é"}') },
          { id: "c2", type: "function", function: fn("g", "{}") },
        ],
      },
    ]);
  });

  test.each([
    [[], ""],
    ["hi", "hi"],
  ])("a reply of %j has the content %j", (content, expected) => {
    expect(read([{ role: "assistant", content }])).toEqual([
      { role: "assistant", content: expected },
    ]);
  });

  test("takes a system message where it stands", () => {
    expect(
      read([
        { role: "user", content: "a" },
        { role: "system", content: [text("b")] },
      ]),
    ).toEqual([
      { role: "user", content: "a" },
      { role: "system", content: "b" },
    ]);
  });

  test.each([
    [undefined, "messages must be a list, got nothing"],
    [[7], "messages[0] must be an object, got a number"],
    [[{ role: "tool", content: "" }], 'messages[0].role must be user or assistant, got "tool"'],
    [[{ role: "user", content: [] }], "messages[0].content is empty"],
    [
      [{ role: "user", content: [{ type: "image" }] }],
      'messages[0].content[0]: its type is "image", and only text, tool_result can be taken here',
    ],
    [
      [{ role: "assistant", content: [{ type: "redacted_thinking" }] }],
      'messages[0].content[0]: its type is "redacted_thinking"',
    ],
    [
      [
        {
          role: "user",
          content: [{ type: "tool_result", tool_use_id: "c", content: [{ type: "image" }] }],
        },
      ],
      'messages[0].content[0].content[0]: its type is "image"',
    ],
    [
      [{ role: "assistant", content: [{ type: "tool_use", id: "c", name: "f", input: "x" }] }],
      "messages[0].content[0].input must be an object, got a string",
    ],
  ])("refuses %j", (messages, sentence) => {
    const value = messages === undefined ? undefined : parseJson(JSON.stringify(messages));
    const reading = () => readConversation(null, value);
    expect(reading).toThrow(InvalidRequestError);
    expect(reading).toThrow(sentence);
  });
});
