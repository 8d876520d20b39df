import { describe, expect, test } from "bun:test";
import type { JsonObject } from "../../src/json/values.ts";
import { excerptCharactersMax } from "../../src/limits.ts";
import { historyRewrite } from "../../src/trajectory/history-rewrite.ts";
import { object, objects } from "../fixtures/json.ts";

const prompt = objects(`[{"role": "system", "content": "You are a helpful agent."},
  {"role": "user", "content": "hello"}]`);
const reply = object('{"role": "assistant", "content": "hi", "reasoning_content": "Hm."}');

/** Of a request that begins with the first `matched` stored messages. */
function rewrite(matched: number, ...own: string[]) {
  const request = [...[...prompt, reply].slice(0, matched), ...own.map(object)];
  return historyRewrite(prompt, reply, request, matched);
}

describe("historyRewrite()", () => {
  test("a request that is the prompt again is a retry", () => {
    expect(rewrite(2)).toBeNull();
  });

  test.each([
    [0, "content", ['{"role": "system", "content": "You are a titles maker."}']],
    [1, "role", ['{"role": "tool", "content": "hello"}']],
    [1, null, []],
    [2, "content", ['{"role": "assistant", "content": "ho"}']],
    [2, "reasoning_content", ['{"role": "assistant", "content": "hi"}', '{"role": "user"}']],
    [2, "role", ['{"role": "user", "content": "and then"}']],
    [
      2,
      "tool_calls",
      [
        '{"role": "assistant", "content": "hi", "reasoning_content": "Hm.", "tool_calls": [{"id": "c"}]}',
      ],
    ],
  ])("one that differs at %d in %p is none", (index, member, own) => {
    expect(rewrite(index, ...own)).toMatchObject({ index, member });
  });

  test("says what is where", () => {
    const reasons = [
      rewrite(0, '{"role": "system", "content": "You make titles."}'),
      rewrite(1),
      rewrite(2, '{"role": "assistant", "content": "hi"}'),
      rewrite(
        2,
        '{"role": "assistant", "content": "hi", "reasoning_content": "Hm.", "tool_calls": [1]}',
      ),
    ].map((found) => found?.reason);
    expect(reasons).toEqual([
      'messages[0].content is "You make titles." where the session has "You are a helpful agent."',
      "the request ends before messages[1], which the session has",
      'messages[2].reasoning_content is nothing where the session has "Hm."',
      "messages[2].tool_calls is [1] where the session has nothing",
    ]);
  });

  test("names the innermost place of tool calls, whatever the order of their keys", () => {
    const calls = (...list: string[]) =>
      object(`{"role": "assistant", "content": "", "tool_calls": [${list.join(", ")}]}`);
    const called = (args: string, more = "") =>
      `{"id": "c", "index": 0, "function": {"name": "f", "arguments": ${args}${more}}}`;
    const again = (args: string, more = "") =>
      `{"function": {"arguments": ${args}, "name": "f"${more}}, "id": "c"}`;
    const reasonOf = (stored: JsonObject, sent: JsonObject) =>
      historyRewrite(prompt, stored, [...prompt, sent], 2)?.reason;
    const place = "messages[2].tool_calls";
    expect(reasonOf(calls(called('"{}"')), calls(again('"{}"', ', "parsed_arguments": {}')))).toBe(
      `${place}[0].function.parsed_arguments is {} where the session has nothing`,
    );
    // Arguments that loose_tool_call takes are not what differs, where something else does.
    const [own, other] = [called('"{}"'), again('" {}"')];
    expect(reasonOf(calls(own, called('"x"')), calls(other, again('"y"')))).toBe(
      `${place}[1].function.arguments is "y" where the session has "x"`,
    );
    expect(reasonOf(calls(own), calls(other))).toBe(
      `${place}[0].function.arguments is " {}" where the session has "{}"`,
    );
    expect(reasonOf(calls(own, own), calls(again('"{}"')))).toStartWith(
      `${place}[1] is nothing where the session has {"id"`,
    );
  });

  test("quotes of long texts only where they begin to differ", () => {
    const same = "s".repeat(1_000);
    const stored = object(`{"role": "user", "content": "${same}${"a".repeat(1_000)}"}`);
    const sent = object(`{"role": "user", "content": "${same}${"b".repeat(1_000)}"}`);
    const reason = historyRewrite([stored], reply, [sent], 0)?.reason ?? "";
    const [own = "", other = ""] = reason.match(/"[^"]*"/g) ?? [];
    expect(own).toMatch(/^"…s+b+…"$/);
    expect(other).toMatch(/^"…s+a+…"$/);
    expect(own).toHaveLength(excerptCharactersMax + '"……"'.length);
    const short = object(`{"role": "user", "content": "${"a".repeat(excerptCharactersMax)}"}`);
    expect(historyRewrite([short], reply, [sent], 0)?.reason).toEndWith(
      `"${short.get("content")}"`,
    );
  });
});
