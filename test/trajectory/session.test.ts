import { expect, test } from "bun:test";
import { Session } from "../../src/trajectory/session.ts";

test("Session starts open, empty and unlocked, with the family's trim", async () => {
  const session = new Session("s", 1);
  expect([session.id, session.closing]).toEqual(["s", false]);
  expect(session.trajectory.messages).toEqual([]);
  expect(session.records.recordCount).toBe(0);
  expect(await session.lock.run(() => "in")).toBe("in");
  // One id may be dropped at the junction of two turns, which the trajectory must be able to undo.
  session.trajectory.tokens.commit(0, 0, [1, 2]);
  session.trajectory.tokens.commit(1, 1, [3]);
  expect([...session.trajectory.tokens.latest()]).toEqual([1, 3]);
});
