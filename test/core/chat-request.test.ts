import { describe, expect, test } from "bun:test";
import { parseChatRequest, upstreamRequest } from "../../src/core/chat-request.ts";
import { InvalidRequestError } from "../../src/errors.ts";
import type { KnownItems } from "../../src/json/known-items.ts";
import { parseJson } from "../../src/json/lossless.ts";
import type { JsonObject } from "../../src/json/values.ts";

const noReplay = { routedExperts: false, indexerTopk: false };

function nothingKnown(): KnownItems {
  return {
    member: "messages",
    bytes: new Uint8Array(0),
    segments: [],
    items: [],
    matchedSegments: 0,
  };
}

function parse(text: string | Uint8Array, known = nothingKnown()) {
  const body = typeof text === "string" ? Buffer.from(text) : text;
  return parseChatRequest(body, known, { developerIsSystem: true, systemAnywhere: true });
}

function sent(text: string, options: { replay?: typeof noReplay; kwargs?: string } = {}): string {
  const kwargs = parseJson(options.kwargs ?? "{}") as JsonObject;
  const request = parse(text);
  const { bytes, parts } = upstreamRequest(
    request,
    request.passedMembers,
    options.replay ?? noReplay,
    kwargs,
    { knownMessages: new Uint8Array(0), inputIds: [Buffer.from("1,2"), Buffer.from(",3")] },
  );
  expect(Buffer.concat(parts.map((part) => part.bytes))).toEqual(Buffer.from(bytes));
  return Buffer.from(bytes).toString();
}

describe("upstreamRequest()", () => {
  test("passes members as the client wrote them", () => {
    const text = sent(
      '{"seed" : 12345678901234567890, "temperature":1.0,\n"top_p":1e-7,"user":"\\ud800", ' +
        '"messages":[{"role":"user","content":"a"}]}',
    );
    expect(text).toBe(
      '{"seed" : 12345678901234567890,"temperature":1.0,"top_p":1e-7,"user":"\\ud800",' +
        '"logprobs":true,"return_meta_info":true,"no_stop_trim":false,' +
        '"messages":[{"role":"user","content":"a"}],"input_ids":[1,2,3]}',
    );
  });

  test("replaces what the account of tokens rests on, however often it stands there", () => {
    const text = sent(
      '{"logprobs":false,"input_ids":[9],"stream":true,"stream_options":{},"no_stop_trim":true,' +
        '"return_meta_info":false,"messages":[{"role":"user","content":""}],"logprobs":null,' +
        '"return_routed_experts":false,"return_indexer_topk":false,"chat_template_kwargs":{}}',
      { replay: { routedExperts: true, indexerTopk: true }, kwargs: '{"a":1.0}' },
    );
    expect(JSON.parse(text)).toEqual({
      logprobs: true,
      return_meta_info: true,
      no_stop_trim: false,
      return_routed_experts: true,
      return_indexer_topk: true,
      chat_template_kwargs: { a: 1 },
      messages: [{ role: "user", content: "" }],
      input_ids: [1, 2, 3],
    });
    expect(text).toContain('"chat_template_kwargs":{"a":1.0}');
    expect(text.match(/"logprobs"/g)).toHaveLength(1);
  });

  test("leaves the client's replay flags alone when the server does not ask for payloads", () => {
    const text = sent('{"messages":[{"role":"user","content":""}],"return_routed_experts":true}');
    expect(JSON.parse(text).return_routed_experts).toBe(true);
    expect(JSON.parse(text)).not.toHaveProperty("chat_template_kwargs");
  });

  test("takes the last of members that stand twice, messages included", () => {
    const text = sent(
      '{"messages":[{"role":"user","content":"x"}],"model":"a",' +
        '"me\\u0073sages":[{"role":"user","content":"y"}],"model":"b"}',
    );
    expect(JSON.parse(text).messages).toEqual([{ role: "user", content: "y" }]);
    expect(text.match(/"model"/g)).toHaveLength(1);
    expect(text).toContain('"model":"b"');
  });
});

describe("parseChatRequest()", () => {
  test("takes known messages over where their text repeats", () => {
    const stored = [new Map([["role", "user"]]), new Map([["role", "assistant"]])];
    const first = '[{"role":"user","content":""}';
    const second = ',{"role": "assistant"}';
    const known: KnownItems = {
      member: "messages",
      bytes: Buffer.from(first + second),
      segments: [
        { end: first.length, itemCount: 1 },
        { end: first.length + second.length, itemCount: 2 },
      ],
      items: stored,
      matchedSegments: 0,
    };
    const same = parse(
      '{"messages":[{"role":"user","content":""},{"role": "assistant"} , 7]}'.replace(
        "7",
        '{"role":"tool"}',
      ),
      known,
    );
    expect(known.matchedSegments).toBe(2);
    expect(same.messages[0]).toBe(stored[0] as JsonObject);
    expect(same.messages[1]).toBe(stored[1] as JsonObject);
    expect(same.messages).toHaveLength(3);
    expect(same.messagesText).toBe(' , {"role":"tool"}]');
    const other = parse('{"messages":[{"role":"user","content":""},{"role":"assistant"}]}', known);
    expect(known.matchedSegments).toBe(1);
    expect(other.messages[0]).toBe(stored[0] as JsonObject);
    expect(other.messages[1]).not.toBe(stored[1] as JsonObject);
    expect(() => parse('{"messages":[{"role":"user","content":""},7]}', known)).toThrow(
      "messages[1] must be",
    );
  });

  test("accepts a byte order mark and NaN, as Python does", () => {
    const request = parse('\ufeff{"messages":[{"role":"user","content":"a"}],"x":NaN}');
    expect(request.messages).toHaveLength(1);
    expect(request.passedMembers.get("x")).toBe('"x":NaN');
  });

  test.each([
    ["true", true],
    ["false", false],
    ["1", true],
    ["0", false],
    ["0.0", false],
    ['"false"', true],
    ["null", false],
    ["[]", false],
    ["{}", false],
  ])("reads stream: %s by Python's truth", (value, expected) => {
    expect(parse(`{"messages":[{"role":"user","content":""}],"stream":${value}}`).stream).toBe(
      expected,
    );
  });

  test.each([
    ["", "messages is missing: a list of message objects is required"],
    ["{}", "messages is missing: a list of message objects is required"],
    ["[1]", "request body must be a JSON object, got a list"],
    ["null", "request body must be a JSON object, got null"],
    ['"text"', "request body must be a JSON object, got a string"],
    ["1.5", "request body must be a JSON object, got a number"],
    ['{"messages":null}', "messages must be a list of message objects, got null"],
    ['{"messages":{"role":"user"}}', "messages must be a list of message objects, got an object"],
    ['{"messages":[]}', "messages is empty: at least one message is required"],
    [
      '{"messages":[{"role":"user","content":""},7]}',
      "messages[1] must be an object, got a number",
    ],
    [
      '{"messages":[{"content":"a"}]}',
      'messages[0] has no role: a role such as "user" is required',
    ],
    ['{"messages":[{"role":null}]}', 'messages[0].role must be a string such as "user", got null'],
    [
      '{"messages":[{"role":"user","content":""}],"chat_template_kwargs":[1]}',
      "chat_template_kwargs must be an object",
    ],
  ])("refuses %s", (text, message) => {
    expect(() => parse(text)).toThrow(new InvalidRequestError(message));
  });

  test("refuses broken JSON with the place", () => {
    expect(() => parse("{not json")).toThrow(/^invalid JSON body: .*line 1/);
  });

  test("refuses bytes that are no UTF-8", () => {
    expect(() => parse(Buffer.from([0x7b, 0x22, 0xed, 0xa0, 0x80, 0x22, 0x7d]))).toThrow(
      "invalid JSON body: not UTF-8",
    );
  });

  test("refuses nesting without end", () => {
    expect(() => parse(`{"messages":${"[".repeat(100_000)}`)).toThrow(/^invalid JSON body: /);
  });
});
