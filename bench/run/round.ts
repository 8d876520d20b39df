/**
 * One round: the limits of the moment, one fresh server under the whole load, the limits again.
 *
 * Contract   a failure of the server is a result, not an error: the round says how it ended, and
 *            the next one goes on. The server is stopped before this resolves.
 */
import type { EngineGroup } from "../engine/engine-group.ts";
import { LoadGroup } from "../load/load-group.ts";
import type { ChildProcesses } from "../process/child-processes.ts";
import { GroupMeter, type MemorySample } from "../process/group-meter.ts";
import { readProcess } from "../process/process-table.ts";
import type { PhaseResult, RoundResult } from "../result/round-result.ts";
import { round as rounded } from "../result/statistics.ts";
import { launch, type RunningTarget } from "../target/launch.ts";
import type { Target } from "../target/target.ts";
import type { StoredWorkload, Workload } from "../workload/workload.ts";
import { betterLimits, LimitMeter } from "./limits.ts";
import type { Progress } from "./progress.ts";
import { RoundPhases } from "./round-phases.ts";
import type { RunPlan } from "./run-plan.ts";
import { TimeAccount } from "./time-account.ts";

export interface RoundContext {
  readonly plan: RunPlan;
  readonly processes: ChildProcesses;
  readonly stored: StoredWorkload;
  readonly workload: Pick<Workload, "replies">;
  readonly engine: EngineGroup;
  readonly progress: Progress;
}

export type MeasuredRound = Pick<
  RoundResult,
  | "limits"
  | "limitsBefore"
  | "limitsAfter"
  | "warmUp"
  | "phases"
  | "memory"
  | "harness"
  | "others"
  | "serverEnd"
>;

export async function runRound(context: RoundContext, target: Target): Promise<MeasuredRound> {
  const { plan, processes, stored, engine, progress } = context;
  // The one that loads the server receives as well: its code is compiled before it counts.
  const load = await LoadGroup.start(processes, plan.loadProcesses, stored.directory);
  const limitMeter = await LimitMeter.start(processes, target, load, {
    engineUrl: engine.url,
    sessions: plan.shape.sessions,
    workloadDirectory: stored.directory,
  });
  try {
    progress.show(`${target.label}: what the engine can send`);
    const limitsBefore = await limitMeter.measure();
    const measured = await measureServer(context, target, load);
    progress.show(`${target.label}: what the engine can send, once more`);
    const limitsAfter = await limitMeter.measure();
    const limits = betterLimits(limitsBefore, limitsAfter);
    return { limits, limitsBefore, limitsAfter, ...measured };
  } finally {
    await limitMeter.stop();
    await load.stop();
  }
}

type Measurement = Omit<MeasuredRound, "limits" | "limitsBefore" | "limitsAfter">;

async function measureServer(
  context: RoundContext,
  target: Target,
  load: LoadGroup,
): Promise<Measurement> {
  const { plan, processes, stored, engine, progress } = context;
  const reader =
    plan.records === "none" ? null : await LoadGroup.start(processes, 1, stored.directory);
  try {
    progress.show(`${target.label}: starting`);
    const settings = {
      backendUrl: engine.url,
      checkpointDirectory: plan.checkpointDirectory,
      usesR3: plan.shape.r3BytesPerToken > 0,
      serverFlags: plan.serverFlags,
    };
    const server = await launch(target, settings, processes);
    return await measureRunning(context, target, server, load, reader);
  } finally {
    await reader?.stop();
  }
}

async function measureRunning(
  context: RoundContext,
  target: Target,
  server: RunningTarget,
  load: LoadGroup,
  reader: LoadGroup | null,
): Promise<Measurement> {
  const meter = server.pids.length === 0 ? null : new GroupMeter(server.pids);
  const harnessPids = {
    engine: context.engine.pids,
    load: [...load.pids, ...(reader?.pids ?? [])],
  };
  let end: string | null = null;
  void server.ended.then((how) => {
    end = [how, server.log()].filter(Boolean).join(": ");
  });
  try {
    const account = new TimeAccount(harnessPids, meter);
    const targetLabel = target.label;
    const rounds = new RoundPhases({ ...context, targetLabel, server, load, reader, meter });
    const warmUp = await rounds.warmUp();
    const phases: PhaseResult[] = [];
    for await (const phase of rounds.measured()) phases.push(phase);
    const times = account.close();
    // A dead server's last connections fail before its end is reported.
    if (server.pids.some((pid) => readProcess(pid) === null)) await server.ended;
    const memory = (meter?.samples ?? []).map(
      ([seconds, bytes]): MemorySample => [rounded(seconds), bytes],
    );
    return { warmUp, phases, memory, ...times, serverEnd: end };
  } finally {
    meter?.stop();
    await server.stop();
  }
}
