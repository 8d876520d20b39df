import { describe, expect, test } from "bun:test";
import { parseJson } from "../../src/json/lossless.ts";
import { pythonJson } from "../../src/json/python-json.ts";
import type { JsonObject } from "../../src/json/values.ts";
import { normalizeMessages } from "../../src/tito/message-normalization.ts";
import { RenderError } from "../../src/tito/render-error.ts";

function normalized(json: string, parseArguments = true): string {
  const messages = parseJson(json) as JsonObject[];
  const before = pythonJson(messages);
  const result = pythonJson(normalizeMessages(messages, { parseArguments }));
  expect(pythonJson(messages), "the client's messages").toBe(before);
  return result;
}

function assistantCalling(toolArguments: string): string {
  return (
    '[{"role": "assistant", "content": "", "tool_calls": ' +
    `[{"function": {"name": "f", "arguments": ${toolArguments}}}]}]`
  );
}

describe("normalizeMessages()", () => {
  test("makes null and absent content of an assistant empty, and of nobody else", () => {
    expect(normalized('[{"role": "assistant", "content": null}]')).toContain('"content": ""');
    expect(normalized('[{"role": "assistant"}]')).toBe('[{"role": "assistant", "content": ""}]');
    const others = '[{"role": "user", "content": null}, {"role": "tool"}]';
    expect(normalized(others)).toBe(others);
  });

  test("parses arguments that are text, without losing anything", () => {
    const text = JSON.stringify('{"10": 1.0, "2": 12345678901234567890}');
    expect(normalized(assistantCalling(text))).toContain(
      '"arguments": {"10": 1.0, "2": 12345678901234567890}',
    );
  });

  test("leaves arguments alone that are no text, or when told so", () => {
    for (const toolArguments of ['{"a": 1}', "null", "3"]) {
      const messages = assistantCalling(toolArguments);
      expect(normalized(messages)).toBe(messages);
    }
    const messages = assistantCalling('"nope"');
    expect(normalized(messages, false)).toBe(messages);
  });

  test("passes calls without a function", () => {
    const messages = '[{"role": "assistant", "content": "", "tool_calls": [{"name": "f"}]}]';
    expect(normalized(messages)).toBe(messages);
  });

  test("does not look into the calls of other roles", () => {
    const messages = '[{"role": "user", "content": "", "tool_calls": [1]}]';
    expect(normalized(messages)).toBe(messages);
  });

  const faults: [toolCalls: string, message: string][] = [
    ["[1]", ".tool_calls[0] must be an object"],
    ['[{}, {"function": "f"}]', ".tool_calls[1].function must be an object"],
    [
      '[{"function": {"arguments": ""}}]',
      ".tool_calls[0].function.arguments is not valid JSON: Expecting value: line 1",
    ],
  ];
  for (const [toolCalls, message] of faults) {
    test(`names the place of ${toolCalls}`, () => {
      const messages = `[{"role": "user"}, {"role": "assistant", "tool_calls": ${toolCalls}}]`;
      const error = catchError(() => normalized(messages));
      expect(error.messageIndex).toBe(1);
      expect(error.message).toStartWith(message);
    });
  }
});

function catchError(run: () => unknown): RenderError {
  try {
    run();
  } catch (error) {
    if (error instanceof RenderError) return error;
    throw error;
  }
  throw new Error("nothing was thrown");
}
