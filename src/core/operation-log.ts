/**
 * One operation in the log: a line at debug, or one at warn when it failed.
 *
 *   chat_completions session=ab12.. status=200 durationMs=812
 *   chat_completions failed session=ab12.. status=502 phase=receive durationMs=31 reason="..."
 *
 * Contract   at most one line an operation, at debug or, when the client or the trainer misses
 *            something by it, at warn. What failed says how far it came.
 */
import { isLogged, type LogFields, log, logFailure } from "../log.ts";
import type { Operation } from "../operation.ts";

/** prepare: the prompt is made. ask, receive: the backend. store: the session. */
export type Phase = "prepare" | "ask" | "receive" | "store";

/** Statuses from here on are failures. */
const failureStatusMin = 400;

export class OperationLog {
  readonly #operation: Operation;
  readonly #startedMs = performance.now();
  #sessionId: string | null;
  #phase: Phase | null = null;
  #notStored: string | null = null;

  constructor(operation: Operation) {
    this.#operation = operation;
    this.#sessionId = "sessionId" in operation ? operation.sessionId : null;
  }

  /** The operation made a session. */
  created(sessionId: string): void {
    this.#sessionId = sessionId;
  }

  /** The operation comes to its next phase. */
  enter(phase: Phase): void {
    this.#phase = phase;
  }

  /** The client gets its reply, but the session does not have the turn. */
  notStored(reason: string): void {
    this.#notStored = reason;
  }

  /** @param reason why it failed; null when the status says it all */
  end(status: number, reason: string | null = null): void {
    const { kind } = this.#operation;
    if (status >= failureStatusMin) logFailure(`${kind} failed`, this.#fields(status, reason));
    else if (this.#notStored !== null) {
      logFailure(`${kind} answered but not stored`, this.#fields(status, this.#notStored));
    } else if (isLogged("debug")) log.debug(kind, this.#fields(status, reason));
  }

  #fields(status: number, reason: string | null): LogFields {
    const operation = this.#operation;
    return {
      ...(this.#sessionId === null ? {} : { session: this.#sessionId }),
      ...(operation.kind === "proxy" ? { path: operation.path } : {}),
      status,
      ...(this.#phase === null || status < failureStatusMin ? {} : { phase: this.#phase }),
      durationMs: Math.round((performance.now() - this.#startedMs) * 10) / 10,
      ...(reason === null ? {} : { reason }),
    };
  }
}
