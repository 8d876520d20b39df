import { describe, expect, test } from "bun:test";
import type { JsonObject } from "../../src/json/values.ts";
import { ReplyPieces } from "../../src/trajectory/reply-pieces.ts";
import { object } from "../fixtures/json.ts";

const piece = (members: string) => object(`{"role": "assistant"${members}}`);
const text = (content: string) => piece(`, "content": ${JSON.stringify(content)}`);
const call = (id: string) => `{"id": "${id}", "function": {"name": "f", "arguments": "{}"}}`;
const calls = (...ids: string[]) => piece(`, "tool_calls": [${ids.map(call).join(", ")}]`);

const stored = piece(
  `, "content": "Let me look.", "reasoning_content": "Hm.", "tool_calls": [${call("c1")}, ${call("c2")}]`,
);

function together(own: JsonObject, first: JsonObject, ...others: JsonObject[]): ReplyPieces {
  const pieces = new ReplyPieces(own, first);
  for (const other of others) pieces.add(other);
  return pieces;
}

describe("ReplyPieces", () => {
  test.each([
    ["its text in two", [text("Let me"), text(" look."), calls("c1", "c2")]],
    ["white space around", [text("\n"), text("Let me look. "), calls("c1"), calls("c2")]],
    ["its calls alone", [calls("c1"), calls("c2")]],
    ["its reasoning", [piece(', "reasoning_content": "Hm."'), calls("c1"), calls("c2")]],
  ])("are the stored reply: %s", (_what, [first, ...others]) => {
    const pieces = together(stored, first as JsonObject, ...others);
    expect(pieces.isTooMuch).toBe(false);
    expect(pieces.whole()?.get("tool_calls")).toHaveLength(2);
  });

  test.each([
    ["a call is missing", [text("Let me look."), calls("c1")], false],
    ["a text is missing", [text("Let me"), calls("c1", "c2")], false],
    ["another text of that length", [text("Let me cook."), calls("c1", "c2")], false],
    ["a call too many", [calls("c1", "c2"), calls("c3")], true],
    ["too long a text", [text("Let me look."), text("And listen.")], true],
    ["reasoning that is longer", [piece(', "reasoning_content": "Hm. No."')], true],
  ])("are not the stored reply: %s", (_what, [first, ...others], isTooMuch) => {
    const pieces = together(stored, first as JsonObject, ...others);
    expect(pieces.whole()).toBeNull();
    expect(pieces.isTooMuch).toBe(isTooMuch);
  });

  test("are a reply without text where the client has a word for that", () => {
    const own = calls("c1");
    expect(together(own, text("(no content)"), calls("c1")).whole()).not.toBeNull();
    expect(together(own, text("(some content)"), calls("c1")).whole()).toBeNull();
  });

  test("isBlank() says whether a piece says nothing", () => {
    expect(ReplyPieces.isBlank(text(" \n"))).toBe(true);
    expect(ReplyPieces.isBlank(text("x"))).toBe(false);
    expect(ReplyPieces.isBlank(calls("c1"))).toBe(false);
    expect(ReplyPieces.isBlank(piece(', "reasoning_content": "Hm."'))).toBe(false);
  });
});
