/**
 * How the stored ids of a session differ from a fresh render of its messages: the report that goes
 * with its records.
 *
 * Contract   made once for each state of a session, however often it is asked for, also at the
 *            same time. It is the report of the moment when it was asked for, whatever happens to
 *            the session meanwhile. Tokenizing and comparing take turns with everything else that
 *            the process does; rendering, about a tenth of the work, does not. The latest report
 *            of a session is kept as long as the session.
 */
import { SessionError } from "../errors.ts";
import { logFailure } from "../log.ts";
import type { TitoTokenizer } from "../tito/tito-tokenizer.ts";
import type { Mismatch } from "../tito/token-sequence-comparator.ts";
import type { Session } from "../trajectory/session.ts";
import { freshRender } from "./fresh-render.ts";
import { sessionTokenizer } from "./turn-preparation.ts";

/** Null when the messages cannot be rendered, or when there are none. */
export type MismatchReport = readonly Mismatch[] | null;

interface KeptReport {
  /** Of the trajectory that it is about. */
  readonly revision: number;
  readonly report: Promise<MismatchReport>;
}

export class MismatchReports {
  readonly #tito: TitoTokenizer;
  readonly #latest = new WeakMap<Session, KeptReport>();

  constructor(tito: TitoTokenizer) {
    this.#tito = tito;
  }

  /** The report of the session as it is now. */
  async of(session: Session): Promise<MismatchReport> {
    const { revision } = session.trajectory;
    const known = this.#latest.get(session);
    if (known?.revision === revision) return known.report;
    const made: KeptReport = { revision, report: this.#make(session) };
    this.#latest.set(session, made);
    try {
      return await made.report;
    } catch (error) {
      if (this.#latest.get(session) === made) this.#latest.delete(session);
      throw error;
    }
  }

  async #make(session: Session): Promise<MismatchReport> {
    // Taken before anything is waited for: a turn that is stored meanwhile makes new ones.
    const { messages, latestTools, tokens } = session.trajectory;
    const ids = tokens.latest();
    if (ids.length === 0) return null;
    const tito = sessionTokenizer(session, this.#tito);
    try {
      const expected = await freshRender(tito, messages, latestTools);
      return await tito.compare(expected, ids);
    } catch (error) {
      if (!(error instanceof SessionError)) throw error;
      logFailure("no mismatch report", { session: session.id, reason: error.message });
      return null;
    }
  }
}
