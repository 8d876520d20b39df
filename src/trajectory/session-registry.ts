/**
 * The sessions of one process by id.
 *
 * Reports    SessionNotFoundError, SessionExistsError.
 * Not here   what happens inside a session.
 */
import { SessionExistsError, SessionNotFoundError } from "../errors.ts";
import { Session } from "./session.ts";
import type { SessionSettings } from "./session-settings.ts";

export class SessionRegistry {
  readonly #sessions = new Map<string, Session>();
  readonly #maxTrimTokens: number;

  constructor(maxTrimTokens: number) {
    this.#maxTrimTokens = maxTrimTokens;
  }

  create(sessionId: string, settings: SessionSettings): Session {
    if (this.#sessions.has(sessionId)) throw new SessionExistsError(sessionId);
    const session = new Session(sessionId, settings, this.#maxTrimTokens);
    this.#sessions.set(sessionId, session);
    return session;
  }

  get(sessionId: string): Session {
    const session = this.#sessions.get(sessionId);
    if (!session) throw new SessionNotFoundError(sessionId);
    return session;
  }

  /** A session that still takes turns. */
  getOpen(sessionId: string): Session {
    const session = this.get(sessionId);
    session.requireOpen();
    return session;
  }

  /** In no particular order. */
  all(): Iterable<Session> {
    return this.#sessions.values();
  }

  /** Takes the session out; its records are freed. */
  remove(session: Session): void {
    this.#sessions.delete(session.id);
    session.records.free();
  }
}
