/**
 * A connection that ended before the response on it did.
 */

export class TruncatedResponseError extends Error {
  override readonly name = "TruncatedResponseError";
  readonly code = "ECONNRESET";

  /** @param where completes "the backend closed the connection" */
  constructor(where: string) {
    super(`the backend closed the connection ${where}`);
  }
}
