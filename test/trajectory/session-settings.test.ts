import { describe, expect, test } from "bun:test";
import { InvalidRequestError } from "../../src/errors.ts";
import { writeJson } from "../../src/json/lossless.ts";
import { sessionSettingsBytesMax } from "../../src/limits.ts";
import {
  noSettings,
  parameterNames,
  parseSessionSettings,
} from "../../src/trajectory/session-settings.ts";

const parse = (text: string) => parseSessionSettings(Buffer.from(text));

describe("parseSessionSettings()", () => {
  test.each(["", "{}", '{"metadata":null,"max_total_tokens":null}'])(
    "%j is no settings",
    (text) => {
      expect(parse(text)).toEqual(noSettings);
    },
  );

  test("keeps every field losslessly", () => {
    const settings = parse(
      '{"pinned_sampling_params":{"temperature":1.0,"seed":12345678901234567890},' +
        '"default_sampling_params":{"top_k":20},"chat_template_kwargs":{"enable_thinking":false},' +
        '"max_total_tokens":32768,"history_rewrites":"refuse","metadata":{"sample":"a","group":[1]}}',
    );
    expect(writeJson(settings.pinnedSamplingParams)).toBe(
      '{"temperature":1.0,"seed":12345678901234567890}',
    );
    expect(writeJson(settings.defaultSamplingParams)).toBe('{"top_k":20}');
    expect(writeJson(settings.chatTemplateKwargs)).toBe('{"enable_thinking":false}');
    expect(settings.maxTotalTokens).toBe(32_768);
    expect(settings.historyRewrites).toBe("refuse");
    expect(writeJson(settings.metadata)).toBe('{"sample":"a","group":[1]}');
  });

  test.each([
    ["[]", "request body must be a JSON object, got a list"],
    ["{", /^invalid JSON body: /],
    ['{"temperature":1}', /^unknown field "temperature": a session takes pinned_sampling_params, /],
    ['{"metadata":"x"}', "metadata must be a JSON object"],
    ['{"pinned_sampling_params":[]}', "pinned_sampling_params must be a JSON object"],
    ['{"chat_template_kwargs":1}', "chat_template_kwargs must be a JSON object"],
    ['{"max_total_tokens":0}', "max_total_tokens must be an integer of 1 or more"],
    ['{"max_total_tokens":1.0}', "max_total_tokens must be an integer of 1 or more"],
    ['{"history_rewrites":"x"}', "history_rewrites must be one of roll_back, refuse"],
    ['{"max_total_tokens":"9"}', "max_total_tokens must be an integer of 1 or more"],
    [
      '{"pinned_sampling_params":{"logprobs":false}}',
      "pinned_sampling_params.logprobs is set by the server or the agent: it is no sampling parameter",
    ],
    [
      '{"default_sampling_params":{"messages":[]}}',
      /^default_sampling_params.messages is set by the server or the agent/,
    ],
    [
      '{"pinned_sampling_params":{"max_tokens":1,"max_completion_tokens":2}}',
      "pinned_sampling_params.max_tokens and pinned_sampling_params.max_completion_tokens are one parameter",
    ],
  ])("refuses %s", (text, message) => {
    expect(() => parse(text)).toThrow(InvalidRequestError);
    expect(() => parse(text)).toThrow(message);
  });

  test("refuses bytes that are no UTF-8, and too many of them", () => {
    expect(() => parseSessionSettings(Buffer.from([0x22, 0xff, 0x22]))).toThrow("not UTF-8");
    const text = (bytes: number) => `{"metadata":{"a":"${"x".repeat(bytes - 21)}"}}`;
    expect(text(sessionSettingsBytesMax)).toHaveLength(sessionSettingsBytesMax);
    expect(parse(text(sessionSettingsBytesMax)).metadata?.size).toBe(1);
    expect(() => parse(text(sessionSettingsBytesMax + 1))).toThrow(
      `at most ${sessionSettingsBytesMax}`,
    );
  });
});

test("parameterNames() gives a parameter's names", () => {
  expect(parameterNames("max_completion_tokens")).toContain("max_tokens");
  expect(parameterNames("top_p")).toEqual(["top_p"]);
});
