// spec: docs/errors.md
/**
 * Failures that a client may see: bad input, a session that is not there, a backend that answered
 * something else than was promised. They are data, not crashes; broken invariants of our own are
 * in assert.ts.
 *
 * Contract   every class has one HTTP status; the message is what the client reads under "error".
 * Not here   rendering: operation.ts makes the reply.
 */

/** Base of everything that is answered as `{"error": message}` with `status`. */
export abstract class SessionError extends Error {
  abstract readonly status: number;
}

/** 404: no session of that id, or it is being deleted. */
export class SessionNotFoundError extends SessionError {
  readonly status = 404;
  constructor(sessionId: string) {
    super(`session not found: session_id=${sessionId}`);
  }
}

/** 400: the request cannot be taken as it is; the state of the session is unchanged. */
export class InvalidRequestError extends SessionError {
  readonly status = 400;
}

/** 409: an id that a router asked for is taken already. */
export class SessionExistsError extends SessionError {
  readonly status = 409;
  constructor(sessionId: string) {
    super(`session exists already: session_id=${sessionId}`);
  }
}

/** 502: the backend could not be reached or answered something unusable. */
export class UpstreamError extends SessionError {
  readonly status = 502;
  /** What the operator should look at, for the log; null when the message says it all. */
  readonly hint: string | null;

  constructor(message: string, options: ErrorOptions & { hint?: string } = {}) {
    super(message, options);
    this.hint = options.hint ?? null;
  }
}

/** 503: the backend gave a turn up; it was not stored and can be sent again. */
export class UpstreamAbortedError extends SessionError {
  readonly status = 503;
}

/** 503: the process that owns the session cannot be reached. */
export class WorkerUnavailableError extends SessionError {
  readonly status = 503;
}

/** The text of anything thrown, for logs and for messages that quote a cause. */
export function errorText(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
