import { expect, test } from "bun:test";
import {
  checkInputIds,
  parseChatRequest,
  parseRequestObject,
} from "../../src/mock-engine/chat-request.ts";
import { EngineError } from "../../src/mock-engine/engine-error.ts";

const messages = [{ role: "user", content: "a", odd: 1 }];

function parse(members: object) {
  return parseChatRequest(JSON.stringify({ messages, ...members }));
}

test("parseChatRequest() reads what it understands and leaves the rest aside", () => {
  expect(parse({})).toEqual({
    model: null,
    messages,
    inputIds: null,
    completionTokensMax: null,
    logprobs: false,
    returnMetaInfo: false,
    returnRoutedExperts: false,
    returnIndexerTopk: false,
  });
  const everything = {
    model: "m",
    input_ids: [1, 2],
    max_tokens: 5,
    logprobs: true,
    return_meta_info: true,
    return_routed_experts: true,
    return_indexer_topk: true,
    temperature: { not: "checked" },
  };
  expect(parse(everything)).toMatchObject({
    model: "m",
    inputIds: [1, 2],
    completionTokensMax: 5,
    logprobs: true,
    returnMetaInfo: true,
    returnRoutedExperts: true,
    returnIndexerTopk: true,
  });
});

test("parseChatRequest() prefers max_completion_tokens and takes null for absent", () => {
  expect(parse({ max_tokens: 5, max_completion_tokens: 7 }).completionTokensMax).toBe(7);
  expect(parse({ max_tokens: null, input_ids: null })).toMatchObject({
    completionTokensMax: null,
    inputIds: null,
  });
});

test("parseChatRequest() rejects with status 400", () => {
  for (const members of [{ messages: null }, { stream: true }, { max_tokens: "5" }]) {
    expect(() => parse(members)).toThrow(EngineError);
    expect(() => parse(members)).toThrow(expect.objectContaining({ status: 400 }));
  }
});

test("parseRequestObject() takes objects only", () => {
  expect(parseRequestObject('{"a": 1}')).toEqual({ a: 1 });
  for (const text of ["", "null", "[]", "1", '"a"', "{"]) {
    expect(() => parseRequestObject(text)).toThrow(EngineError);
  }
});

test("checkInputIds() takes lists of ids only", () => {
  expect(checkInputIds([])).toEqual([]);
  expect(checkInputIds([0, 151_645])).toEqual([0, 151_645]);
  for (const value of ["1", {}, 1, [[1]], [-1], [1.5], [null], [2 ** 60]]) {
    expect(() => checkInputIds(value)).toThrow(EngineError);
  }
});
