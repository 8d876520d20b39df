/**
 * One session: settings, trajectory, records, lock, and whether it is being deleted.
 *
 * Contract   trajectory, records and turns change only under `lock`, together, and not once
 *            `closing`; `isFull` under the lock as well. The counts of turns begun and in flight
 *            change outside of it.
 */
import { SessionNotFoundError } from "../errors.ts";
import type { JsonObject } from "../json/values.ts";
import { RecordStore } from "../records/record-store.ts";
import { LinearTrajectory } from "./linear-trajectory.ts";
import { SessionLock } from "./session-lock.ts";
import type { SessionSettings } from "./session-settings.ts";
import type { TurnFacts } from "./turn-facts.ts";

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
