/**
 * For what no event tells of: the state of a process that is not ours to wait for, a text in a log.
 */

/** Resolves when `condition` holds. A test that waits for ever is ended by its own time limit. */
export async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await Bun.sleep(1);
}
