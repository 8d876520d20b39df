/**
 * The lock of one session: first come, first served. Held in two short phases around a turn's
 * call to the backend, never during it.
 */
export class SessionLock {
  #tail: Promise<unknown> = Promise.resolve();

  /** Runs `task` alone; its failure is its caller's and does not stop those who wait. */
  run<Result>(task: () => Promise<Result> | Result): Promise<Result> {
    const result = this.#tail.then(task);
    this.#tail = result.catch(() => {});
    return result;
  }
}
