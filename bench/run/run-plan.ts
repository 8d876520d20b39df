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
   * Turns of the throw-away sessions that a fresh server has before anything counts, as many
   * sessions as the shape has; 0: it is measured cold.
   */
  readonly warmUpTurns: number;
  /** How often that is done, with new sessions each time: code is compiled in several stages. */
  readonly warmUpPasses: number;
  /** freely: each session goes on when it can. in step: one chat at a time (load/in-step.ts). */
  readonly advance: "freely" | "in step";
  /**
   * none: chats only. after: every session's records are read when the chats are done.
   * during: chats without, with and again without GETs of the warm-up's sessions.
   */
  readonly records: "none" | "after" | "during";
  /** Full-records GETs at the same time; 0: one for each session. */
  readonly concurrentGets: number;
  /** Where the JSON lines go; null keeps none. */
  readonly resultsDirectory: string | null;
}

/**
 * The order of the targets in a round: reversed every other time, so that no target always has the
 * warmer machine.
 */
export function orderOfRound(targets: readonly Target[], round: number): readonly Target[] {
  return round % 2 === 0 ? targets : targets.toReversed();
}
