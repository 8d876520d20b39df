import { expect, test } from "bun:test";
import { type ChatTurn, echoReply, scriptedReplies } from "../../src/mock-engine/script.ts";

function turn(content: unknown, turnIndex = 0): ChatTurn {
  return { messages: [{ role: "user", content }], turnIndex, routingKey: "" };
}

test("echoReply() repeats the last message and counts turns", () => {
  expect(echoReply(turn("hello"))).toEqual({ content: "Reply 1 to: hello" });
  expect(echoReply(turn([{ type: "text", text: "a" }, { type: "image_url" }, null], 4))).toEqual({
    content: "Reply 5 to: a",
  });
  for (const nothing of [null, undefined, 7, {}]) {
    expect(echoReply(turn(nothing)).content).toBe("Reply 1 to: ");
  }
});

test("echoReply() keeps whole code points of long messages and no half surrogates", () => {
  expect(echoReply(turn("😀".repeat(500))).content).toBe(`Reply 1 to: ${"😀".repeat(400)}`);
  expect(echoReply(turn("a\ud800b")).content).toBe("Reply 1 to: a\ufffdb");
});

test("scriptedReplies() picks by turn and repeats the last reply beyond the end", async () => {
  const replies = scriptedReplies([{ content: "a" }, { content: "b" }]);
  const contents = [0, 1, 2, 9].map(async (index) => (await replies(turn("", index))).content);
  expect(await Promise.all(contents)).toEqual(["a", "b", "b", "b"]);
  expect(() => scriptedReplies([])).toThrow("at least one reply");
});
