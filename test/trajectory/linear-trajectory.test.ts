import { describe, expect, test } from "bun:test";
import { writeJson } from "../../src/json/lossless.ts";
import type { JsonObject, JsonValue } from "../../src/json/values.ts";
import { LinearTrajectory } from "../../src/trajectory/linear-trajectory.ts";

const anyRole = new Set(["user", "assistant", "tool", "system"]);

function message(role: string, content: string): JsonObject {
  return new Map<string, JsonValue>([
    ["role", role],
    ["content", content],
  ]);
}

function matches(stored: JsonObject, replayed: JsonObject): boolean {
  return (
    stored.get("role") === replayed.get("role") && stored.get("content") === replayed.get("content")
  );
}

/** Runs one turn: the request's messages, then a generated reply. */
function turn(trajectory: LinearTrajectory, request: JsonObject[], reply: string): void {
  const plan = trajectory.plan(request, matches, anyRole);
  trajectory.commit(plan, {
    dropLast: 0,
    tokens: [trajectory.revision],
    assistantMessage: message("assistant", reply),
    tools: { text: "", value: null },
    messagesText: writeJson(request),
    matchedSegments: 0,
  });
}

const user = message("user", "a");
const one = message("assistant", "one");
const two = message("assistant", "two");
const next = message("user", "b");

describe("LinearTrajectory.plan()", () => {
  test("takes every message of a first request as appended", () => {
    const plan = new LinearTrajectory(0).plan([user], matches, anyRole);
    expect(plan).toEqual({
      revision: 0,
      baseRevision: 0,
      checkpointCount: 0,
      history: [],
      appended: [user],
      lastToken: undefined,
      rewrite: null,
    });
  });

  test("continues the history with what follows it", () => {
    const trajectory = new LinearTrajectory(0);
    turn(trajectory, [user], "one");
    const plan = trajectory.plan([user, one, next], matches, anyRole);
    expect(plan.checkpointCount).toBe(1);
    expect(plan.history).toEqual([user, one]);
    expect(plan.appended).toEqual([next]);
  });

  test("keeps the stored spelling of the common part", () => {
    const trajectory = new LinearTrajectory(0);
    turn(trajectory, [user], "one");
    const respelled = message("assistant", "ONE");
    const loose = (stored: JsonObject, replayed: JsonObject) =>
      String(stored.get("content")).toLowerCase() === String(replayed.get("content")).toLowerCase();
    const plan = trajectory.plan([user, respelled, next], loose, anyRole);
    expect(plan.history[1]).toEqual(one);
  });

  test("goes back one generated turn for a retry, and changes nothing yet", () => {
    const trajectory = new LinearTrajectory(0);
    turn(trajectory, [user], "one");
    turn(trajectory, [user, one, next], "two");
    const plan = trajectory.plan([user, one, message("user", "other")], matches, anyRole);
    expect(plan.checkpointCount).toBe(1);
    expect(trajectory.messages).toHaveLength(4);
    expect(trajectory.tokens.checkpointCount).toBe(2);
  });

  test("goes back to the empty session when the first turn is retried", () => {
    const trajectory = new LinearTrajectory(0);
    turn(trajectory, [user], "one");
    const plan = trajectory.plan([user], matches, anyRole);
    expect(plan.checkpointCount).toBe(0);
    expect(plan.history).toEqual([]);
    expect(plan.appended).toEqual([user]);
  });

  test("refuses to go back two generated turns", () => {
    const trajectory = new LinearTrajectory(0);
    turn(trajectory, [user], "one");
    turn(trajectory, [user, one, next], "two");
    expect(() => trajectory.plan([next], matches, anyRole)).toThrow(
      "rollback failed: discard_count=2 exceeds max_assistant_rollback_steps=1 " +
        "(stored has 4 messages, request has 1 messages)",
    );
  });

  test("does not count an assistant message of the client as a checkpoint", () => {
    const trajectory = new LinearTrajectory(0);
    turn(trajectory, [user, message("assistant", "injected"), next], "one");
    const plan = trajectory.plan([user, message("assistant", "injected")], matches, anyRole);
    expect(plan.checkpointCount).toBe(0);
  });

  test("refuses a role that the family cannot append, but not in a first request", () => {
    const trajectory = new LinearTrajectory(0);
    const developer = message("developer", "c");
    const appendable = new Set(["user", "tool"]);
    expect(trajectory.plan([developer], matches, appendable).appended).toEqual([developer]);
    turn(trajectory, [user], "one");
    expect(() => trajectory.plan([user, one, developer], matches, appendable)).toThrow(
      "appended message at index 2 has role='developer', allowed=['tool', 'user']",
    );
  });
});

describe("LinearTrajectory.commit()", () => {
  test("applies the rollback of its plan", () => {
    const trajectory = new LinearTrajectory(0);
    turn(trajectory, [user], "one");
    turn(trajectory, [user, one, next], "two");
    turn(trajectory, [user, one, next], "three");
    expect(trajectory.messages).toEqual([user, one, next, message("assistant", "three")]);
    expect(trajectory.tokens.checkpointCount).toBe(2);
    expect(trajectory.messages).not.toContainEqual(two);
  });

  test("advances the revision, so that a plan made before is told to be stale", () => {
    const trajectory = new LinearTrajectory(0);
    turn(trajectory, [user], "one");
    const stale = trajectory.plan([user, one, next], matches, anyRole);
    // The same number of generated turns as before, and yet another history.
    turn(trajectory, [user], "other");
    expect(trajectory.tokens.checkpointCount).toBe(stale.checkpointCount);
    expect(trajectory.revision).not.toBe(stale.revision);
  });

  test("tells when one turn more on the same base is all that happened since a plan", () => {
    const trajectory = new LinearTrajectory(0);
    const first = trajectory.plan([user], matches, anyRole);
    expect(trajectory.canReplaceLatest(first)).toBe(false);
    turn(trajectory, [user], "one");
    expect(trajectory.canReplaceLatest(first)).toBe(true);
    const second = trajectory.plan([user, one, next], matches, anyRole);
    expect(trajectory.canReplaceLatest(second)).toBe(false);
    turn(trajectory, [user, one, next], "two");
    expect(trajectory.canReplaceLatest(second)).toBe(true);
    expect(trajectory.canReplaceLatest(first)).toBe(false);
  });

  test("knows another base of the same length", () => {
    const trajectory = new LinearTrajectory(0);
    turn(trajectory, [user], "one");
    const plan = trajectory.plan([user, one, next], matches, anyRole);
    turn(trajectory, [user], "other");
    turn(trajectory, [user, message("assistant", "other"), next], "two");
    expect(trajectory.canReplaceLatest(plan)).toBe(false);
  });
});
