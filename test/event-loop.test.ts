import { expect, test } from "bun:test";
import { eventLoopTurn, runInSteps } from "../src/event-loop.ts";

test("eventLoopTurn() lets what waits for the event loop go first", async () => {
  const order: string[] = [];
  setImmediate(() => order.push("another"));
  await eventLoopTurn();
  order.push("this");
  expect(order).toEqual(["another", "this"]);
});

test("runInSteps() does every step in a turn of its own and gives the result", async () => {
  const order: string[] = [];
  function* work() {
    for (let step = 1; step <= 3; step += 1) {
      order.push(`step ${step}`);
      setImmediate(() => order.push(`behind ${step}`));
      yield;
    }
    return "done";
  }
  expect(await runInSteps(work())).toBe("done");
  expect(order).toEqual(["step 1", "behind 1", "step 2", "behind 2", "step 3", "behind 3"]);
});

test("runInSteps() rejects with what the work throws", async () => {
  // biome-ignore lint/correctness/useYield: it ends before its first step is done
  function* work(): Generator<void, never> {
    throw new Error("broken");
  }
  await expect(runInSteps(work())).rejects.toThrow("broken");
});
