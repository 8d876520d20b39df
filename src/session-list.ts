// spec: docs/clients.md, "What a server holds"
/**
 * GET /sessions: pages of the sessions that a server holds, one page out of those of all workers.
 *
 * Contract   sessions are in the order of their ids, so that pages of any number of workers merge
 *            to what a single process would answer, and a page stays right while sessions come and
 *            go.
 * Limits     sessionPageMax.
 * Not here   what a session tells of itself: core/session-report.ts.
 */
import { InvalidRequestError } from "./errors.ts";
import { sessionPageMax } from "./limits.ts";
import type { SessionListOperation } from "./operation.ts";

/** A session in the list, and the head of its summary; names as in JSON. */
export interface SessionEntry {
  readonly session_id: string;
  /** Index of the worker that owns it. */
  readonly worker: number;
  /** in_turn: the backend is asked. closing: a deletion has begun. */
  readonly state: "idle" | "in_turn" | "closing";
  /** Turns that are stored. */
  readonly turns: number;
  /** Turns that later ones took the place of, retries included. */
  readonly turns_taken_back: number;
  /** Of these, those that went to a request which is no retry. */
  readonly turns_rewritten: number;
  /** Turns that were answered but not stored: the session had advanced meanwhile. */
  readonly turns_not_stored: number;
  /** Tokens of the latest turn's prompt and completion. */
  readonly tokens: number;
  /** Memory of the records. */
  readonly bytes: number;
  /** Seconds since 1970. */
  readonly created_at: number;
  readonly age_seconds: number;
}

export interface SessionPage {
  readonly sessions: readonly SessionEntry[];
  /** Sessions on all pages. */
  readonly total: number;
  /** The `after` of the next page; null on the last. */
  readonly next_after: string | null;
}

const standardLimit = 100;

/** @throws InvalidRequestError for a query string that asks for nothing sensible */
export function readPageQuery(query: string): SessionListOperation {
  const parameters = new URLSearchParams(query);
  for (const name of parameters.keys()) {
    if (name === "limit" || name === "after") continue;
    throw new InvalidRequestError(
      `unknown parameter ${JSON.stringify(name)}: the list takes limit and after`,
    );
  }
  const text = parameters.get("limit");
  const limit = text === null ? standardLimit : Number(text);
  if ((text !== null && !/^\d+$/.test(text)) || limit < 1 || limit > sessionPageMax) {
    throw new InvalidRequestError(`limit must be a whole number from 1 to ${sessionPageMax}`);
  }
  return { kind: "list_sessions", limit, after: parameters.get("after") };
}

/** @param pages of disjoint sets of sessions, each asked for with the same limit and start */
export function mergePages(pages: readonly SessionPage[], limit: number): SessionPage {
  const found = pages
    .flatMap((page) => page.sessions)
    .sort((left, right) => compareIds(left.session_id, right.session_id));
  const sessions = found.slice(0, limit);
  const isLast = found.length <= limit && pages.every((page) => page.next_after === null);
  return {
    sessions,
    total: pages.reduce((sum, page) => sum + page.total, 0),
    next_after: isLast ? null : (sessions.at(-1)?.session_id ?? null),
  };
}

/** By UTF-16 units, which is the order of hexadecimal ids. */
export function compareIds(left: string, right: string): number {
  if (left === right) return 0;
  return left < right ? -1 : 1;
}
