/**
 * One session: settings, trajectory, records, lock, and whether it is being deleted.
 *
 * Contract   trajectory, records and turns change only under `lock`, together, and not once
 *            `closing`, and so do the notes of what was lost by them; `isFull` under the lock as
 *            well. The counts of turns begun and in flight change outside of it.
 */
import { SessionNotFoundError } from "../errors.ts";
import type { JsonObject } from "../json/values.ts";
import { RecordStore } from "../records/record-store.ts";
import { LinearTrajectory } from "./linear-trajectory.ts";
import { SessionLock } from "./session-lock.ts";
import type { SessionSettings } from "./session-settings.ts";
import type { TurnFacts } from "./turn-facts.ts";

/** Names of tools. */
export interface ToolsChange {
  readonly added: readonly string[];
  readonly removed: readonly string[];
  readonly changed: readonly string[];
}

export class Session {
  readonly id: string;
  readonly settings: SessionSettings;
  /** Milliseconds since 1970. */
  readonly createdMs = Date.now();
  readonly lock = new SessionLock();
  readonly trajectory: LinearTrajectory;
  readonly records = new RecordStore();
  /** Facts of the stored turns, one a checkpoint of the trajectory. */
  readonly turns: TurnFacts[] = [];
  /** Turns that were ever begun. */
  turnsBegun = 0;
  /** Turns that were begun and not answered yet. */
  turnsInFlight = 0;
  /** A turn found no room below the session's max_total_tokens, and none was stored since. */
  isFull = false;
  /** Turns that later ones took the place of, retries included. */
  turnsTakenBack = 0;
  /** Of these, those that went to a request which is no retry: their conversation is lost. */
  turnsRewritten = 0;
  /** Why the latest of those was none; null when there was none. */
  lastRewrite: string | null = null;
  /** Turns that were answered, and that the session had no place for any more. */
  turnsNotStored = 0;
  /** How tools differed from those in the prompt, of the latest turn of which they did; or null. */
  toolsChange: ToolsChange | null = null;
  /** Set when a deletion has begun; no turn is stored from then on. */
  closing = false;

  /** @param maxTrimTokens ids that the family may drop at the junction of two turns */
  constructor(id: string, settings: SessionSettings, maxTrimTokens: number) {
    this.id = id;
    this.settings = settings;
    this.trajectory = new LinearTrajectory(maxTrimTokens);
  }

  /** @throws SessionNotFoundError once a deletion has begun */
  requireOpen(): void {
    if (this.closing) throw new SessionNotFoundError(this.id);
  }

  /** Messages up to and including the reply of a stored turn; null when there is no such turn. */
  messagesThrough(turnId: string): readonly JsonObject[] | null {
    const index = this.turns.findIndex((turn) => turn.id === turnId);
    return index < 0 ? null : this.trajectory.messagesThrough(index);
  }
}
