/**
 * What a run does: one shape against one or several targets, in rounds.
 */
import type { Target } from "../target/target.ts";
import type { Shape } from "../workload/shape.ts";

export interface RunPlan {
  readonly shape: Shape;
  readonly seed: number;
  readonly targets: readonly Target[];
  readonly rounds: number;
  readonly engineProcesses: number;
  /** 0 lets the system choose; a server that runs already has to know it. */
  readonly enginePort: number;
  readonly loadProcesses: number;
  readonly checkpointDirectory: string;
  readonly serverFlags: readonly string[];
  /**
   * none: chats only. after: every session's records are read when the chats are done.
   * during: chats without, then chats with GETs of the first chats' sessions at the same time.
   */
  readonly records: "none" | "after" | "during";
  /** Full-records GETs at the same time; 0: one for each session. */
  readonly concurrentGets: number;
  readonly resultsDirectory: string;
}

/**
 * The order of the targets in a round: reversed every other time, so that no target always has the
 * warmer machine.
 */
export function orderOfRound(targets: readonly Target[], round: number): readonly Target[] {
  return round % 2 === 0 ? targets : targets.toReversed();
}
