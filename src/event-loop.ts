/**
 * Long work in short steps, so that a process that does it still answers everybody else.
 */

/** Resolves when the event loop has come round: what was waiting for it has had its turn. */
export function eventLoopTurn(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}

/** Does all steps of some work, each in a turn of the event loop of its own. */
export async function runInSteps<Result>(work: Generator<void, Result>): Promise<Result> {
  for (;;) {
    const step = work.next();
    if (step.done === true) return step.value;
    await eventLoopTurn();
  }
}
