import { expect, test } from "bun:test";
import { SessionNotFoundError } from "../../src/errors.ts";
import type { JsonObject, JsonValue } from "../../src/json/values.ts";
import { Session } from "../../src/trajectory/session.ts";
import { noSettings } from "../../src/trajectory/session-settings.ts";

function message(role: string, content: string): JsonObject {
  return new Map<string, JsonValue>([
    ["role", role],
    ["content", content],
  ]);
}

/** A session with one turn a question. */
function sessionWith(questions: readonly string[]): Session {
  const session = new Session("s", noSettings, 0);
  for (const [index, question] of questions.entries()) {
    const messages = [...session.trajectory.messages, message("user", question)];
    const plan = session.trajectory.plan(messages, Object.is, new Set(["user"]));
    session.trajectory.commit(plan, {
      ...{ dropLast: 0, tokens: [index], assistantMessage: message("assistant", "r") },
      ...{ tools: { text: "", value: null }, messagesText: "[]", matchedSegments: 0 },
    });
    session.turns.push({
      ...{
        id: `t${index}`,
        order: index,
        fingerprint: "",
        kind: "chat_completions",
        promptTokens: 1,
        completionTokens: 1,
      },
      ...{ finishReason: null, startedMs: 0, durationMs: 0 },
    });
  }
  return session;
}

test("Session starts open, empty and unlocked, with the family's trim", async () => {
  const session = new Session("s", noSettings, 1);
  expect([session.id, session.closing]).toEqual(["s", false]);
  expect(session.trajectory.messages).toEqual([]);
  expect(session.records.recordCount).toBe(0);
  expect(await session.lock.run(() => "in")).toBe("in");
  // One id may be dropped at the junction of two turns, which the trajectory must be able to undo.
  session.trajectory.tokens.commit(0, 0, [1, 2]);
  session.trajectory.tokens.commit(1, 1, [3]);
  expect([...session.trajectory.tokens.latest()]).toEqual([1, 3]);
});

test("Session gives the messages through each of its turns, and null for others", () => {
  const session = sessionWith(["a", "b"]);
  expect(session.messagesThrough("t0")?.map((one) => one.get("content"))).toEqual(["a", "r"]);
  expect(session.messagesThrough("t1")).toHaveLength(4);
  expect(session.messagesThrough("t2")).toBeNull();
});

test("Session.requireOpen() refuses a session whose deletion has begun", () => {
  const session = new Session("s", noSettings, 0);
  session.requireOpen();
  session.closing = true;
  expect(() => session.requireOpen()).toThrow(new SessionNotFoundError("s"));
});
