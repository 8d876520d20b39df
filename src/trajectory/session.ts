/**
 * One session: its trajectory, its records, its lock, and whether it is being deleted.
 *
 * Contract   trajectory and records change only under `lock`, together, and not once `closing`.
 */
import { RecordStore } from "../records/record-store.ts";
import { LinearTrajectory } from "./linear-trajectory.ts";
import { SessionLock } from "./session-lock.ts";

export class Session {
  readonly id: string;
  readonly lock = new SessionLock();
  readonly trajectory: LinearTrajectory;
  readonly records = new RecordStore();
  /** Set when a deletion has begun; no turn is stored from then on. */
  closing = false;

  /** @param maxTrimTokens ids that the family may drop at the junction of two turns */
  constructor(id: string, maxTrimTokens: number) {
    this.id = id;
    this.trajectory = new LinearTrajectory(maxTrimTokens);
  }
}
