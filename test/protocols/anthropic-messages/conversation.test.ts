import { describe, expect, test } from "bun:test";
import { InvalidRequestError } from "../../../src/errors.ts";
import { parseJson } from "../../../src/json/lossless.ts";
import { readConversation } from "../../../src/protocols/anthropic-messages/conversation.ts";
import type { EarlierTurns } from "../../../src/protocols/turn-protocol.ts";
import { call, jsonObject, plain, turnId } from "../answers.ts";

const noTurns: EarlierTurns = { messagesThrough: () => null };

function read(messages: unknown, system: unknown = null, earlier = noTurns): unknown {
  const [given, list] = [system, messages].map((value) => parseJson(JSON.stringify(value)));
  return plain(readConversation(given ?? null, list, earlier));
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
    [
      "blocks that begin with who pays",
      [text("x-anthropic-billing-header: cc_version=2.1.177; cch=1f3a0;"), text("be brief")],
      [{ role: "system", content: "be brief" }],
    ],
    ["who pays alone", [text("x-anthropic-billing-header: cch=0;")], []],
    [
      "blocks that quote it later",
      [text("say "), text("x-anthropic-billing-header: ")],
      [{ role: "system", content: "say x-anthropic-billing-header: " }],
    ],
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

  test("messages of the assistant that follow each other are one", () => {
    const use = (id: string) => ({ type: "tool_use", id, name: "f", input: {} });
    expect(
      read([
        { role: "assistant", content: [{ type: "thinking", thinking: "why", signature: "s" }] },
        { role: "assistant", content: "hi" },
        { role: "assistant", content: [use("c1")] },
        { role: "assistant", content: [use("c2")] },
        { role: "user", content: "a" },
        { role: "assistant", content: [] },
        { role: "user", content: "b" },
      ]),
    ).toEqual([
      {
        role: "assistant",
        content: "hi",
        reasoning_content: "why",
        tool_calls: [
          { id: "c1", type: "function", function: { name: "f", arguments: "{}" } },
          { id: "c2", type: "function", function: { name: "f", arguments: "{}" } },
        ],
      },
      { role: "user", content: "a" },
      { role: "assistant", content: "" },
      { role: "user", content: "b" },
    ]);
  });

  test("a call under an id that this server made up is the stored one", () => {
    const stored = call("f", '{"a": 1}', null);
    const reply = jsonObject({ role: "assistant", content: "", tool_calls: [stored] });
    const earlier = { messagesThrough: (id: string) => (id === turnId ? [reply] : null) };
    const use = (id: string) => ({ type: "tool_use", id, name: "f", input: { b: 2 } });
    const written = (id: string) => ({
      ...{ id, type: "function" },
      function: { name: "f", arguments: '{"b":2}' },
    });
    const others = [`call_${turnId}_1`, `call_${"0".repeat(32)}_0`];
    const content = [`call_${turnId}_0`, ...others].map(use);
    expect(read([{ role: "assistant", content }], null, earlier)).toMatchObject([
      { tool_calls: [stored, ...others.map(written)] },
    ]);
  });

  test("writes half of a surrogate pair in arguments as its escape", () => {
    const content = [{ type: "tool_use", id: "c", name: "f", input: { a: "\ud800" } }];
    expect(read([{ role: "assistant", content }])).toMatchObject([
      { tool_calls: [{ function: { arguments: '{"a":"\\ud800"}' } }] },
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
    const reading = () => readConversation(null, value, noTurns);
    expect(reading).toThrow(InvalidRequestError);
    expect(reading).toThrow(sentence);
  });
});
