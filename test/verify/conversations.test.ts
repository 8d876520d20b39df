import { expect, test } from "bun:test";
import { growingConversations } from "../../src/verify/conversations.ts";
import { appendedRun } from "../../src/verify/turn-check.ts";

test("growingConversations append every role, alone and in runs, with and without tools", () => {
  const runs = growingConversations.flatMap((conversation) =>
    conversation.generated.map((turn) =>
      appendedRun(conversation, turn)
        .map((message) => message.get("role"))
        .join(" "),
    ),
  );
  for (const run of [
    "user",
    "tool",
    "tool tool",
    "system",
    "assistant",
    "tool user",
    "tool system",
  ]) {
    expect(runs).toContain(run);
  }
  expect(runs).not.toContain("");
  expect(new Set(growingConversations.map(({ tools }) => tools === null)).size).toBe(2);
});

test("growingConversations mark assistants only, and begin with none", () => {
  for (const { name, messages, generated } of growingConversations) {
    expect(messages[0]?.get("role"), name).not.toBe("assistant");
    for (const index of generated) expect(messages[index]?.get("role"), name).toBe("assistant");
  }
});
