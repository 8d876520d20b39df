// spec: docs/clients.md, "What a server holds"
/**
 * What a session tells of itself to people who debug: counts and times, no payloads.
 */
import { writeJson } from "../json/lossless.ts";
import type { SessionListOperation } from "../operation.ts";
import { compareIds, type SessionEntry, type SessionPage } from "../session-list.ts";
import type { Session } from "../trajectory/session.ts";
import type { TurnFacts } from "../trajectory/turn-facts.ts";

/** @param sessions all that this process holds */
export function sessionPage(
  sessions: Iterable<Session>,
  { limit, after }: SessionListOperation,
  workerIndex: number,
): SessionPage {
  const all = [...sessions].sort((left, right) => compareIds(left.id, right.id));
  const rest = after === null ? all : all.filter(({ id }) => compareIds(id, after) > 0);
  const page = rest.slice(0, limit);
  return {
    sessions: page.map((session) => sessionEntry(session, workerIndex)),
    total: all.length,
    next_after: page.length === rest.length ? null : (page.at(-1)?.id ?? null),
  };
}

/** JSON text of GET /sessions/{id}/summary. */
export function sessionSummary(session: Session, workerIndex: number): string {
  const { settings } = session;
  const entry = sessionEntry(session, workerIndex);
  const summary = {
    ...entry,
    max_total_tokens: settings.maxTotalTokens,
    is_full: session.isFull,
    history_rewrites: settings.historyRewrites,
    last_rewrite: session.lastRewrite,
    tools_change: session.toolsChange,
    turns: session.turns.map(turnSummary),
  };
  // The settings are kept losslessly, so they are written by what reads them so.
  const given =
    `"metadata":${writeJson(settings.metadata)},` +
    `"pinned_sampling_params":${writeJson(settings.pinnedSamplingParams)},` +
    `"default_sampling_params":${writeJson(settings.defaultSamplingParams)},` +
    `"chat_template_kwargs":${writeJson(settings.chatTemplateKwargs)}`;
  return `${JSON.stringify(summary).slice(0, -1)},${given}}`;
}

function sessionEntry(session: Session, workerIndex: number): SessionEntry {
  return {
    session_id: session.id,
    worker: workerIndex,
    state: stateOf(session),
    turns: session.turns.length,
    turns_taken_back: session.turnsTakenBack,
    turns_rewritten: session.turnsRewritten,
    turns_not_stored: session.turnsNotStored,
    tokens: session.trajectory.tokens.latestLength,
    bytes: session.records.retainedBytes,
    created_at: session.createdMs / 1000,
    age_seconds: (Date.now() - session.createdMs) / 1000,
  };
}

function stateOf(session: Session): SessionEntry["state"] {
  if (session.closing) return "closing";
  return session.turnsInFlight > 0 ? "in_turn" : "idle";
}

function turnSummary(turn: TurnFacts, index: number) {
  return {
    index,
    id: turn.id,
    protocol: turn.kind,
    prompt_tokens: turn.promptTokens,
    completion_tokens: turn.completionTokens,
    finish_reason: turn.finishReason,
    started_at: turn.startedMs / 1000,
    duration_seconds: turn.durationMs / 1000,
  };
}
