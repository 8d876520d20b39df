/**
 * A run from beginning to end: bytes, engine, rounds, one line of results a round.
 *
 * Contract   every result that is kept is on disk before the next round begins. All processes that
 *            were started are gone when this resolves or rejects.
 */
import { loadCheckpoint } from "../../src/tokenizer/checkpoint.ts";
import { startEngineGroup } from "../engine/engine-group.ts";
import type { ChildProcesses } from "../process/child-processes.ts";
import { doubtsAboutRound } from "../result/doubts.ts";
import { describeMachine } from "../result/machine.ts";
import { appendResult, type RoundResult, resultVersion } from "../result/round-result.ts";
import { loadWorkload, type StoredWorkload, storeWorkload } from "../workload/workload.ts";
import type { Progress } from "./progress.ts";
import { runRound } from "./round.ts";
import { orderOfRound, type RunPlan } from "./run-plan.ts";

export interface RunEvents {
  /** The bytes are made; nothing was measured yet. */
  prepared(stored: StoredWorkload, machine: RoundResult["machine"]): void;
  finishedRound(result: RoundResult): void;
}

export async function runBenchmark(
  plan: RunPlan,
  processes: ChildProcesses,
  progress: Progress,
  events: RunEvents,
): Promise<RoundResult[]> {
  const machine = await describeMachine();
  const startedAt = new Date().toISOString();
  const time = startedAt.replace(/\D/g, "").slice(0, 14);
  const run = `${time}-${plan.shape.name}-${plan.shape.sessions}`;
  progress.show("making the bytes");
  const checkpoint = await loadCheckpoint(plan.checkpointDirectory, { chatTemplatePath: null });
  const stored = await storeWorkload(plan.shape, plan.seed, checkpoint);
  const results: RoundResult[] = [];
  try {
    events.prepared(stored, machine);
    progress.show("starting the engine");
    const { directory, summary } = stored;
    const engine = await startEngineGroup(
      processes,
      plan.engineProcesses,
      directory,
      plan.enginePort,
    );
    const workload = await loadWorkload(directory);
    const context = { plan, processes, stored, workload, engine, progress };
    for (let round = 0; round < plan.rounds; round += 1) {
      for (const [position, target] of orderOfRound(plan.targets, round).entries()) {
        const measured = await runRound(context, target);
        // Processes that are being stopped fail in their own way: that is no result.
        if (processes.isStopping) throw new Error("the run was interrupted");
        const result: RoundResult = {
          version: resultVersion,
          run,
          startedAt,
          shape: plan.shape,
          workload: summary,
          target: target.label,
          workers: target.kind === "program" ? target.workers : null,
          serverFlags: plan.serverFlags,
          round,
          position,
          machine,
          advance: plan.advance,
          ...measured,
          doubts: doubtsAboutRound({ machine, ...measured }),
        };
        if (plan.resultsDirectory !== null) appendResult(plan.resultsDirectory, result);
        results.push(result);
        progress.clear();
        events.finishedRound(result);
      }
    }
    await engine.stop();
    return results;
  } finally {
    stored.remove();
  }
}
