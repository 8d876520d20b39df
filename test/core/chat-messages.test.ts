import { describe, expect, test } from "bun:test";
import { readMessage } from "../../src/core/chat-messages.ts";
import { InvalidRequestError } from "../../src/errors.ts";
import { parseJson, writeJson } from "../../src/json/lossless.ts";

function read(text: string, developerIsSystem = true): string {
  return writeJson(readMessage(parseJson(text), 3, { developerIsSystem }));
}

describe("readMessage()", () => {
  test.each([
    ["a string", '"a"', '"a"'],
    ["an empty string", '""', '""'],
    ["an empty list", "[]", "[]"],
    ["a text part", '[{"type":"text","text":"a"}]', '"a"'],
    ["text parts", '[{"type":"text","text":"a"},{"type":"text","text":" b","x":1}]', '"a b"'],
  ])("content that is %s", (_what, content, expected) => {
    expect(read(`{"role":"user","content":${content}}`)).toBe(
      `{"role":"user","content":${expected}}`,
    );
  });

  test.each([
    ['{"type":"image_url","image_url":{"url":"data:"}}', 'a part of type "image_url"'],
    ['{"type":"input_audio","input_audio":{}}', 'a part of type "input_audio"'],
    ['{"type":"text","text":7}', 'a part of type "text"'],
    ['{"text":"a"}', "an object"],
    ['"a"', "a string"],
  ])("refuses the part %s", (part, got) => {
    const text = `{"role":"user","content":[{"type":"text","text":"a"},${part}]}`;
    expect(() => read(text)).toThrow(InvalidRequestError);
    expect(() => read(text)).toThrow(
      'messages[3].content[1] must be {"type": "text", "text": a string}, ' +
        `got ${got}: sessions are made of text`,
    );
  });

  test.each(["assistant", "tool", "system"])(
    "a message of the role %s may have no content",
    (role) => {
      for (const text of [`{"role":"${role}","content":null}`, `{"role":"${role}"}`]) {
        expect(read(text)).toBe(text);
      }
    },
  );

  test.each([
    ["user", '"content":null', "a string or a list of text parts, got null"],
    ["user", '"name":"a"', "a string or a list of text parts, got nothing"],
    ["user", '"content":42', "a string or a list of text parts, got a number"],
    ["user", '"content":1.0', "a string or a list of text parts, got a number"],
    ["user", '"content":{"a":1}', "a string or a list of text parts, got an object"],
    ["tool", '"content":true', "a string, a list of text parts or null, got a boolean"],
    ["assistant", '"content":7', "a string, a list of text parts or null, got a number"],
  ])("refuses the content of a message of the role %s with %s", (role, member, expectation) => {
    expect(() => read(`{"role":"${role}",${member}}`)).toThrow(
      new InvalidRequestError(`messages[3].content must be ${expectation}`),
    );
  });

  test("makes a developer a system message only where the template has no place for it", () => {
    const text = '{"role":"developer","content":"a"}';
    expect(read(text)).toBe('{"role":"system","content":"a"}');
    expect(read(text, false)).toBe(text);
  });

  test("copies what it changes", () => {
    const message = parseJson('{"role":"developer","content":[{"type":"text","text":"a"}]}');
    readMessage(message, 0, { developerIsSystem: true });
    expect(writeJson(message)).toContain("developer");
    expect(writeJson(message)).toContain('"type":"text"');
  });
});
