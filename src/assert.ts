/**
 * Checks of our own invariants. A failed assertion is a bug of this program and crashes the
 * process, never an answer to bad input: input from a peer goes through errors.ts.
 */

export function assert(condition: unknown, message: string): asserts condition {
  if (!condition) throw new AssertionError(message);
}

export class AssertionError extends Error {
  override readonly name = "AssertionError";
}
