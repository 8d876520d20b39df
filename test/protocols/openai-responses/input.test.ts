import { describe, expect, test } from "bun:test";
import { InvalidRequestError } from "../../../src/errors.ts";
import { readInput } from "../../../src/protocols/openai-responses/input.ts";
import type { EarlierTurns } from "../../../src/protocols/turn-protocol.ts";
import { call, jsonObject, plain, turnId } from "../answers.ts";

const history = [
  { role: "system", content: "s" },
  { role: "user", content: "q" },
  {
    role: "assistant",
    content: "hi",
    reasoning_content: "why",
    tool_calls: [call("f", '{"a": 1}')],
  },
];

const earlier: EarlierTurns = {
  messagesThrough: (id) => (id === turnId ? history.map(jsonObject) : null),
};

const read = (request: object) => plain(readInput(jsonObject(request), earlier).messages);

const fn = (name: string, args: string) => ({
  id: "c1",
  type: "function",
  function: { name, arguments: args },
});

describe("readInput()", () => {
  test("a string is a message of the user, instructions one of the system", () => {
    expect(read({ input: "a" })).toEqual([{ role: "user", content: "a" }]);
    expect(read({ instructions: "s", input: "a" })).toEqual([
      { role: "system", content: "s" },
      { role: "user", content: "a" },
    ]);
    expect(read({ instructions: "", input: [] })).toEqual([]);
  });

  test.each([
    [
      { role: "user", content: "a" },
      { role: "user", content: "a" },
    ],
    [
      { type: "message", role: "developer", content: [{ type: "input_text", text: "a" }] },
      { role: "developer", content: "a" },
    ],
    [
      {
        type: "message",
        id: "msg_1",
        role: "assistant",
        status: "completed",
        content: [
          { type: "output_text", text: "a", annotations: [] },
          { type: "output_text", text: "b" },
        ],
      },
      { role: "assistant", content: "ab" },
    ],
    [
      { type: "function_call", id: "fc_1", call_id: "c1", name: "f", arguments: '{"a": 1}' },
      { role: "assistant", content: "", tool_calls: [fn("f", '{"a": 1}')] },
    ],
    [
      { type: "custom_tool_call", call_id: "c1", name: "patch", input: "x\ny" },
      { role: "assistant", content: "", tool_calls: [fn("patch", '{"input":"x\\ny"}')] },
    ],
    [
      { type: "function_call_output", call_id: "c1", output: "r" },
      { role: "tool", tool_call_id: "c1", content: "r" },
    ],
    [
      {
        type: "custom_tool_call_output",
        call_id: "c1",
        output: [{ type: "input_text", text: "r" }],
      },
      { role: "tool", tool_call_id: "c1", content: "r" },
    ],
    [
      {
        type: "reasoning",
        summary: [{ type: "summary_text", text: "short" }],
        content: [{ type: "reasoning_text", text: "long" }],
      },
      { role: "assistant", content: "", reasoning_content: "long" },
    ],
    [
      { type: "reasoning", id: "rs_1", summary: [{ type: "summary_text", text: "short" }] },
      { role: "assistant", content: "", reasoning_content: "short" },
    ],
  ])("item %j", (item, message) => {
    expect(read({ input: [item] })).toEqual([message]);
  });

  test("a refusal is what the assistant said", () => {
    const content = [
      { type: "output_text", text: "a" },
      { type: "refusal", refusal: "b" },
    ];
    expect(read({ input: [{ role: "assistant", content }] })).toEqual([
      { role: "assistant", content: "ab" },
    ]);
    expect(() => read({ input: [{ role: "user", content }] })).toThrow('its type is "refusal"');
  });

  test("leaves out what tools did that run at OpenAI", () => {
    const items = ["web_search_call", "file_search_call", "image_generation_call", "mcp_call"];
    expect(read({ input: items.map((type) => ({ type })) })).toEqual([]);
  });

  test("knows a local shell's result by the item of its call", () => {
    const action = { type: "exec", command: ["ls"] };
    const [first, second] = read({
      input: [
        { type: "local_shell_call", id: "lsh_1", call_id: "c1", action },
        { type: "local_shell_call_output", id: "lsh_1", output: "a" },
      ],
    }) as object[];
    const args = '{"command":["ls"]}';
    expect(first).toMatchObject({ tool_calls: [fn("local_shell", args)] });
    expect(second).toEqual({ role: "tool", tool_call_id: "c1", content: "a" });
  });

  test("takes the messages of the response before from the session", () => {
    const request = { previous_response_id: `resp_${turnId}`, input: "b" };
    const continued = [...history, { role: "user", content: "b" }];
    expect(read(request)).toEqual(continued);
    expect(read({ ...request, instructions: "s" })).toEqual(continued);
    expect(() => read({ ...request, instructions: "other" })).toThrow(
      "instructions differ from those that the session began with",
    );
  });

  test("takes what items refer to from the session", () => {
    const ids = [`rs_${turnId}`, `msg_${turnId}`, `fc_${turnId}_0`];
    const input = ids.map((id) => ({ type: "item_reference", id }));
    expect(read({ input })).toEqual([history[2]]);
  });

  test.each([
    [{}, "input must be a string or a list of items, got null"],
    [{ input: 7 }, "input must be a string or a list of items, got a number"],
    [{ input: [7] }, "input[0] must be an object, got a number"],
    [{ input: [{ type: "computer_call" }] }, 'input[0]: its type is "computer_call"'],
    [
      { input: [{ type: "compaction", encrypted_content: "x" }] },
      "input[0] is a compacted conversation, which only OpenAI can read",
    ],
    [{ input: [{ role: "tool", content: "" }] }, "input[0].role must be one of user, assistant"],
    [
      { input: [{ role: "user", content: [{ type: "input_image" }] }] },
      'input[0].content[0]: its type is "input_image"',
    ],
    [{ input: [{ type: "function_call" }] }, "input[0].call_id must be a string, got nothing"],
    [{ input: "a", instructions: [] }, "instructions must be a string, got a list"],
    [
      { input: "a", previous_response_id: `resp_${"0".repeat(32)}` },
      "names no response of this session",
    ],
    [{ input: "a", previous_response_id: "resp_x" }, "names no response of this session"],
    [
      { input: [{ type: "item_reference", id: "msg_x" }] },
      "input[0] refers to msg_x, which is no item of this session",
    ],
    [
      { input: [{ type: "item_reference", id: `fc_${turnId}_7` }] },
      "which is no item of this session",
    ],
  ])("refuses %j", (request, sentence) => {
    expect(() => read(request)).toThrow(InvalidRequestError);
    expect(() => read(request)).toThrow(sentence);
  });
});
