/**
 * Checks of our own invariants. A failed assertion is a bug of this program, never an answer to bad
 * input: input from a peer goes through errors.ts. Inside an operation it ends that operation with
 * 500 and a stack in the log; anywhere else it ends the process, and with it the server.
 */

export function assert(condition: unknown, message: string): asserts condition {
  if (!condition) throw new AssertionError(message);
}

export class AssertionError extends Error {
  override readonly name = "AssertionError";
}
