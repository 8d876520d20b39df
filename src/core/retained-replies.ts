// spec: docs/clients.md, "Retries"
/**
 * The replies of a process's latest turns, for clients that send a request again: one sample a
 * request, however often its client asks.
 *
 * Contract   a repetition waits for the attempt that runs, or gets the reply that is kept; the turn
 *            is stored once. An attempt that failed is no answer: a repetition of it is a new
 *            attempt. A request that is no repetition is always one, and from then on the one that
 *            repetitions mean. Who waited for an attempt that failed may have sent events that name
 *            its turn: the new attempt is at the turn of the same name.
 * Reports    InvalidRequestError for an Idempotency-Key that came with another request before.
 * Limits     retainedTurnsMax a session, retainedReplyBytesEachMax a reply, retainedReplyBytesMax a
 *            process: the oldest replies go first. What is not kept any more is sampled anew. Of an
 *            attempt that is over only its reply is kept.
 */
import { InvalidRequestError } from "../errors.ts";
import { retainedReplyBytesEachMax, retainedReplyBytesMax, retainedTurnsMax } from "../limits.ts";
import type { Reply } from "../operation.ts";
import type { WaitingEvents } from "../protocols/waiting-events.ts";
import { randomId } from "../random-id.ts";
import type { OnWaiting } from "./early-stream.ts";
import type { RequestMark } from "./request-mark.ts";

/** @param turnId 32 hex digits that the turn gets, and that its events name */
type Begin = (turnId: string, onWaiting: OnWaiting) => Promise<Reply>;

interface Attempt {
  readonly sessionId: string;
  readonly mark: RequestMark;
  readonly turnId: string;
  /** Resolves to the reply; null when there is none to give again. Never rejects. */
  readonly outcome: Promise<Reply | null>;
  /**
   * Resolves when its client waits for events; never for one that takes none. Null once the outcome
   * is there: the events hold parts of the request.
   */
  waiting: Promise<() => WaitingEvents> | null;
  /** Of the kept reply; 0 while the attempt runs. */
  replyBytes: number;
}

/** Tells a client and its log that nothing was sampled for this reply. */
const replayedHeader: [string, string] = ["idempotent-replayed", "true"];

export class RetainedReplies {
  readonly #bytesMax: number;
  readonly #bySession = new Map<string, Attempt[]>();
  /** Attempts whose reply is kept, the oldest first. */
  readonly #kept = new Set<Attempt>();
  #keptBytes = 0;

  constructor(bytesMax: number = retainedReplyBytesMax) {
    this.#bytesMax = bytesMax;
  }

  /** Never above the bound: tests of it look here, since what is kept cannot be asked for. */
  get keptBytes(): number {
    return this.#keptBytes;
  }

  /**
   * The reply of an earlier attempt at the same request, or of the one that `begin` begins.
   *
   * @param onWaiting called when the attempt that answers waits for its model
   */
  async answer(
    sessionId: string,
    mark: RequestMark,
    begin: Begin,
    onWaiting: OnWaiting = () => {},
  ): Promise<Reply> {
    let failedTurnId: string | null = null;
    for (;;) {
      const earlier = this.#earlier(sessionId, mark);
      if (earlier === undefined || (failedTurnId !== null && earlier.turnId !== failedTurnId)) {
        const named = { sessionId, mark, turnId: failedTurnId ?? randomId() };
        return this.#run(named, begin, onWaiting);
      }
      void earlier.waiting?.then(onWaiting);
      const reply = await earlier.outcome;
      if (reply !== null) return { ...reply, headers: [...reply.headers, replayedHeader] };
      // Forgotten by now: another repetition may have begun an attempt meanwhile.
      failedTurnId = earlier.turnId;
    }
  }

  /** Lets go of a session's replies. Attempts that run end as they would. */
  forget(sessionId: string): void {
    for (const attempt of this.#bySession.get(sessionId) ?? []) this.#release(attempt);
    this.#bySession.delete(sessionId);
  }

  #earlier(sessionId: string, mark: RequestMark): Attempt | undefined {
    const attempts = this.#bySession.get(sessionId) ?? [];
    if (mark.idempotencyKey === null) {
      if (!mark.isRepetition) return undefined;
      return attempts.findLast((attempt) => attempt.mark.fingerprint === mark.fingerprint);
    }
    const named = attempts.findLast(
      (attempt) => attempt.mark.idempotencyKey === mark.idempotencyKey,
    );
    if (named !== undefined && named.mark.fingerprint !== mark.fingerprint) {
      throw new InvalidRequestError(
        "this Idempotency-Key was sent with another request of the session: a key names one",
      );
    }
    return named;
  }

  async #run(
    named: Pick<Attempt, "sessionId" | "mark" | "turnId">,
    begin: Begin,
    onWaiting: OnWaiting,
  ): Promise<Reply> {
    const outcome = Promise.withResolvers<Reply | null>();
    const waiting = Promise.withResolvers<() => WaitingEvents>();
    void waiting.promise.then(onWaiting);
    const running: Attempt = {
      ...named,
      replyBytes: 0,
      outcome: outcome.promise,
      waiting: waiting.promise,
    };
    this.#remember(running);
    let kept: Reply | null = null;
    try {
      const reply = await begin(named.turnId, waiting.resolve);
      if (this.#keep(running, reply)) kept = reply;
      return reply;
    } finally {
      running.waiting = null;
      if (kept === null) this.#drop(running);
      outcome.resolve(kept);
    }
  }

  /** Those that run are never taken out: who repeats them must find them. */
  #remember(attempt: Attempt): void {
    const attempts = this.#bySession.get(attempt.sessionId) ?? [];
    this.#bySession.set(attempt.sessionId, attempts);
    const oldest = attempts.find((other) => other.replyBytes > 0);
    if (attempts.length >= retainedTurnsMax && oldest !== undefined) this.#drop(oldest);
    attempts.push(attempt);
  }

  /** Whether the reply is one to give again; it is kept then, unless its session is gone. */
  #keep(attempt: Attempt, reply: Reply): boolean {
    const { status, body } = reply;
    const isAnswer = status === 200 && body instanceof Uint8Array && body.byteLength > 0;
    if (!isAnswer || body.byteLength > retainedReplyBytesEachMax) return false;
    const isForgotten = !this.#bySession.get(attempt.sessionId)?.includes(attempt);
    if (isForgotten) return true;
    attempt.replyBytes = body.byteLength;
    this.#kept.add(attempt);
    this.#keptBytes += attempt.replyBytes;
    for (const oldest of this.#kept) {
      if (this.#keptBytes <= this.#bytesMax) break;
      this.#drop(oldest);
    }
    return true;
  }

  #drop(attempt: Attempt): void {
    this.#release(attempt);
    const attempts = this.#bySession.get(attempt.sessionId);
    const index = attempts?.indexOf(attempt) ?? -1;
    if (attempts === undefined || index < 0) return;
    attempts.splice(index, 1);
    if (attempts.length === 0) this.#bySession.delete(attempt.sessionId);
  }

  #release(attempt: Attempt): void {
    if (!this.#kept.delete(attempt)) return;
    this.#keptBytes -= attempt.replyBytes;
    attempt.replyBytes = 0;
  }
}
