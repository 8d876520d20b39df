import { expect, test } from "bun:test";
import { SessionLock } from "../../src/trajectory/session-lock.ts";

test("SessionLock.run() lets one task in at a time, in the order of arrival", async () => {
  const lock = new SessionLock();
  const events: string[] = [];
  const gate = Promise.withResolvers<void>();
  const first = lock.run(async () => {
    events.push("first in");
    await gate.promise;
    events.push("first out");
  });
  const second = lock.run(() => void events.push("second"));
  const third = lock.run(() => void events.push("third"));
  gate.resolve();
  await Promise.all([first, second, third]);
  expect(events).toEqual(["first in", "first out", "second", "third"]);
});

test("SessionLock.run() passes a failure to its caller and lets the next task in", async () => {
  const lock = new SessionLock();
  const failing = lock.run(() => Promise.reject(new Error("broken")));
  const next = lock.run(() => "next");
  expect(failing).rejects.toThrow("broken");
  expect(await next).toBe("next");
});
