import { expect, test } from "bun:test";
import { InvalidRequestError } from "../../src/errors.ts";
import { chatBodyOf } from "../../src/protocols/chat-body.ts";

test("chatBodyOf() is JSON in UTF-8", () => {
  expect(Buffer.from(chatBodyOf(new Map([["a", "é😀"]]))).toString()).toBe('{"a":"é😀"}');
});

test("chatBodyOf() refuses half a character", () => {
  expect(() => chatBodyOf(new Map([["a", "\ud83d"]]))).toThrow(InvalidRequestError);
});
