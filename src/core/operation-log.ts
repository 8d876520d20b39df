/**
 * One operation in the log: a line at debug, or one at warn when it failed.
 *
 *   chat_completions session=ab12.. status=200 durationMs=812
 *   chat_completions failed session=ab12.. status=502 phase=receive durationMs=31 reason="..."
 *
 * Contract   at most one line an operation, at debug or, when the client or the trainer misses
 *            something by it, at warn. What failed says how far it came; what went well and lost
 *            something all the same says what.
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
  #retryOf: string | null = null;
  #refusal: string | null = null;
  readonly #warnings: { readonly message: string; readonly fields: LogFields }[] = [];

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

  /** The backend answers with an error of its own. @param beginning of what it says */
  refused(beginning: string): void {
    this.#refusal = beginning;
  }

  /** The turn takes the place of another, as its client meant it. */
  retried(turnId: string): void {
    this.#retryOf = turnId;
  }

  /** The operation went well, and somebody should look at it. @param message continues its kind */
  warn(message: string, fields: LogFields): void {
    this.#warnings.push({ message, fields });
  }

  /** @param reason why it failed; null when the status, or the backend, says it all */
  end(status: number, reason: string | null = this.#refusal): void {
    const { kind } = this.#operation;
    if (status >= failureStatusMin) logFailure(`${kind} failed`, this.#fields(status, reason));
    else if (this.#notStored !== null) {
      logFailure(`${kind} answered but not stored`, this.#fields(status, this.#notStored));
    } else if (this.#warnings.length > 0) {
      const messages = this.#warnings.map(({ message }) => message).join(", and ");
      const fields = Object.assign({}, ...this.#warnings.map((warning) => warning.fields));
      logFailure(`${kind} ${messages}`, { ...this.#fields(status, reason), ...fields });
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
      ...(this.#retryOf === null ? {} : { retryOf: this.#retryOf }),
      ...(reason === null ? {} : { reason }),
    };
  }
}
