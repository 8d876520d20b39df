import { describe, expect, test } from "bun:test";
import { parseJson } from "../../src/json/lossless.ts";
import { pythonJson } from "../../src/json/python-json.ts";
import type { JsonObject, JsonValue } from "../../src/json/values.ts";
import { differingMember, messageMatchers } from "../../src/trajectory/message-matcher.ts";

function object(json: string): JsonObject {
  return parseJson(json) as JsonObject;
}

const { strict, loose_tool_call: loose, role_content_only: roleContentOnly } = messageMatchers;

/** Every argument value against every other one, as the Python original matched them. */
const vectors = object(
  await Bun.file(new URL("message-matcher.vectors.json", import.meta.url)).text(),
);

function calling(value: JsonValue): JsonObject {
  const called: JsonObject = new Map<string, JsonValue>([
    ["name", "f"],
    ["arguments", value],
  ]);
  const call: JsonObject = new Map<string, JsonValue>([
    ["id", "c"],
    ["function", called],
  ]);
  return new Map<string, JsonValue>([
    ["role", "assistant"],
    ["tool_calls", [call]],
  ]);
}

describe("arguments of tool calls, against the original", () => {
  const values = vectors.get("arguments") as JsonValue[];
  for (const name of ["strict", "loose_tool_call"] as const) {
    const rows = vectors.get(name) as string[];
    test(`${name}: ${values.length} values against each other`, () => {
      for (const [index, stored] of values.entries()) {
        const row = values
          .map((replayed) => (messageMatchers[name](calling(stored), calling(replayed)) ? 1 : 0))
          .join("");
        expect(row, pythonJson(stored)).toBe(rows[index] ?? "");
      }
    });
  }
});

describe("strict", () => {
  const base = '"role": "assistant", "content": "a"';
  const same: [title: string, stored: string, replayed: string][] = [
    ["null, empty and absent", '{"content": null}', '{"content": "", "tool_calls": []}'],
    ["an empty list for an empty text", '{"content": []}', '{"reasoning_content": ""}'],
    ["keys that no template reads", `{${base}}`, `{${base}, "name": "x", "refusal": null}`],
    [
      "index of a tool call",
      '{"tool_calls": [{"id": "c", "index": 0}]}',
      '{"tool_calls": [{"index": 1, "id": "c"}]}',
    ],
    ["numbers as Python compares them", '{"content": 1}', '{"content": 1.0}'],
    ["the order of keys", '{"content": {"a": 1, "b": 2}}', '{"content": {"b": 2, "a": 1}}'],
  ];
  for (const [title, stored, replayed] of same) {
    test(`ignores ${title}`, () => {
      expect(strict(object(stored), object(replayed))).toBe(true);
      expect(strict(object(replayed), object(stored))).toBe(true);
    });
  }

  const different: [title: string, stored: string, replayed: string][] = [
    ["white space at an end", '{"content": "a"}', '{"content": "a\\n"}'],
    ["an empty object for null", '{"content": null}', '{"content": {}}'],
    ["zero for null", '{"content": null}', '{"content": 0}'],
    ["reasoning", '{"reasoning_content": "r"}', "{}"],
    ["the id of a call", '{"tool_calls": [{"id": "c"}]}', '{"tool_calls": [{"id": "d"}]}'],
    ["the order of calls", '{"tool_calls": [{"id": 1}, {"id": 2}]}', '{"tool_calls": [{"id": 2}]}'],
  ];
  for (const [title, stored, replayed] of different) {
    test(`sees ${title}`, () => {
      expect(strict(object(stored), object(replayed))).toBe(false);
    });
  }
});

describe("loose_tool_call", () => {
  const call = (members: string) => object(`{"role": "assistant", "tool_calls": [{${members}}]}`);

  test("still compares everything else", () => {
    const stored = call('"id": "c", "function": {"name": "f", "arguments": "{}"}');
    const replays: [replayed: string, matches: boolean][] = [
      ['"id": "c", "index": 3, "function": {"arguments": "", "name": "f"}', true],
      ['"id": "d", "function": {"name": "f", "arguments": ""}', false],
      ['"id": "c", "function": {"name": "g", "arguments": ""}', false],
      ['"id": "c", "function": {"name": "f"}', false],
      ['"id": "c", "type": "x", "function": {"name": "f", "arguments": ""}', false],
    ];
    for (const [replayed, matches] of replays) {
      expect(loose(stored, call(replayed)), replayed).toBe(matches);
    }
  });

  test("is strict about types where arguments are no JSON object", () => {
    const stored = call('"function": {"arguments": [1]}, "x": 1.0');
    // Strict takes it, and so does the policy that extends strict.
    expect(loose(stored, call('"function": {"arguments": [true]}, "x": 1.0'))).toBe(true);
    const other = call('"function": {"arguments": [1], "y": "{}"}');
    expect(loose(other, call('"function": {"arguments": [1.0], "y": "{ }"}'))).toBe(false);
  });

  test("survives arguments as deep as JSON may be", () => {
    const deep = `{"a": ${"[".repeat(900)}${"]".repeat(900)}}`;
    const text = (spelling: string) =>
      call(`"function": {"arguments": ${JSON.stringify(spelling)}}`);
    expect(loose(text(deep), text(` ${deep}`))).toBe(true);
    const value = call(`"function": {"arguments": ${deep}}`);
    expect(loose(value, text(deep))).toBe(true);
  });
});

test("role_content_only looks at role and content and nothing else", () => {
  const stored = object('{"role": "assistant", "content": "", "tool_calls": [{"id": "c"}]}');
  expect(roleContentOnly(stored, object('{"role": "assistant", "content": null}'))).toBe(true);
  expect(roleContentOnly(stored, object('{"role": "user", "content": null}'))).toBe(false);
  expect(roleContentOnly(stored, object('{"role": "assistant", "content": "x"}'))).toBe(false);
});

test.each([
  ['{"role": "user"}', '{"role": "tool", "content": "a"}', "role"],
  ['{"content": "a"}', '{"content": "b", "reasoning_content": "c"}', "content"],
  ['{"reasoning_content": "c"}', '{"tool_calls": [{"id": "d"}]}', "reasoning_content"],
  ['{"tool_calls": [{"index": 1}]}', '{"tool_calls": [{"id": "d"}]}', "tool_calls"],
  ['{"content": null, "name": "x"}', '{"content": "", "tool_calls": []}', null],
])("differingMember(%s, %s)", (stored, replayed, member) => {
  expect(differingMember(object(stored), object(replayed))).toBe(member);
});

describe("a member of a tool call that only the client has", () => {
  const calling = (call: string, parsed = "") =>
    object(`{"role": "assistant", "content": ""${parsed}, "tool_calls": [${call}]}`);
  const stored = calling('{"id": "c", "function": {"name": "f", "arguments": "{}"}}');
  const byPythonSdk = calling(
    '{"id": "c", "function": {"arguments": "{}", "name": "f", "parsed_arguments": null}}',
    ', "parsed": null',
  );

  test.each([
    ["strict", strict],
    ["loose_tool_call", loose],
  ])("is no difference in %s where it is null", (_name, matches) => {
    expect(matches(stored, byPythonSdk)).toBe(true);
    const beside = '{"id": "c", "x": null, "function": {"name": "f", "arguments": "{}"}}';
    expect(matches(stored, calling(beside))).toBe(true);
    // The session's own member is not left out without being seen.
    expect(matches(byPythonSdk, stored)).toBe(false);
    const parsed = '{"id": "c", "function": {"name": "f", "arguments": "{}", "parsed": {}}}';
    expect(matches(stored, calling(parsed))).toBe(false);
  });

  test("counts inside arguments, which are what the model wrote", () => {
    const own = calling('{"function": {"arguments": {"a": 1}}}');
    const other = calling('{"function": {"arguments": {"a": 1, "b": null}}}');
    expect(strict(own, other)).toBe(false);
    expect(loose(own, other)).toBe(false);
  });

  test("still lets loose_tool_call take arguments that are spelled otherwise", () => {
    const respelled = calling(
      '{"id": "c", "function": {"arguments": " {}", "name": "f", "parsed_arguments": null}}',
    );
    expect(loose(stored, respelled)).toBe(true);
    expect(strict(stored, respelled)).toBe(false);
  });
});
