import { expect, test } from "bun:test";
import { callsOf, textMember } from "../../src/json/chat-message.ts";
import { object } from "../fixtures/json.ts";

test.each([
  ["{}", 0],
  ['{"tool_calls": null}', 0],
  ['{"tool_calls": {"id": "c"}}', 0],
  ['{"tool_calls": [{"id": "c"}, "x", null, {}]}', 2],
])("callsOf(%s) are %d: what is no object is no call", (message, count) => {
  expect(callsOf(object(message))).toHaveLength(count);
});

test("textMember() is empty where the member is no text", () => {
  const message = object('{"a": "x", "b": null, "c": ["x"]}');
  expect(["a", "b", "c", "d"].map((name) => textMember(message, name))).toEqual(["x", "", "", ""]);
});
