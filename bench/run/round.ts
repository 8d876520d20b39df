/**
 * One round: the limits of the moment, then one fresh server under the whole load.
 *
 * Contract   a failure of the server is a result, not an error: the round says how it ended, and the
 *            next one goes on. The server is stopped before this resolves.
 */
import type { EngineGroup } from "../engine/engine-group.ts";
import type { DirectTally } from "../load/direct.ts";
import { LoadGroup } from "../load/load-group.ts";
import type { ChildProcesses } from "../process/child-processes.ts";
import { GroupMeter, type MemorySample } from "../process/group-meter.ts";
import { readProcess } from "../process/process-table.ts";
import type { LimitResult, PhaseResult, RoundResult } from "../result/round-result.ts";
import { round as rounded } from "../result/statistics.ts";
import { launch, type RunningTarget } from "../target/launch.ts";
import type { Target } from "../target/target.ts";
import type { StoredWorkload, Workload } from "../workload/workload.ts";
import { runPhase } from "./phase.ts";
import type { Progress } from "./progress.ts";
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
  "limits" | "phases" | "memory" | "harness" | "others" | "serverEnd"
>;

export async function runRound(context: RoundContext, target: Target): Promise<MeasuredRound> {
  const { plan, processes, stored, engine, progress } = context;
  const load = await LoadGroup.start(processes, plan.loadProcesses, stored.directory);
  const reader =
    plan.records === "none" ? null : await LoadGroup.start(processes, 1, stored.directory);
  try {
    progress.show(`${target.label}: what the engine can send`);
    const limits = {
      socket: limitOf(await load.receiveDirectly(engine.url, "socket")),
      fetch: limitOf(await load.receiveDirectly(engine.url, "fetch")),
    };
    progress.show(`${target.label}: starting`);
    const server = await launch(
      target,
      {
        backendUrl: engine.url,
        checkpointDirectory: plan.checkpointDirectory,
        usesR3: plan.shape.r3BytesPerToken > 0,
        serverFlags: plan.serverFlags,
      },
      processes,
    );
    const harnessPids = { engine: engine.pids, load: [...load.pids, ...(reader?.pids ?? [])] };
    const account = new TimeAccount(harnessPids);
    const measured = await measure(context, target, server, load, reader, account);
    return { limits, ...measured };
  } finally {
    await load.stop();
    await reader?.stop();
  }
}

type Measurement = Omit<MeasuredRound, "limits">;

async function measure(
  context: RoundContext,
  target: Target,
  server: RunningTarget,
  load: LoadGroup,
  reader: LoadGroup | null,
  account: TimeAccount,
): Promise<Measurement> {
  const meter = server.pids.length === 0 ? null : new GroupMeter(server.pids);
  let end: string | null = null;
  void server.ended.then((how) => {
    end = [how, server.log()].filter(Boolean).join(": ");
  });
  const phases: PhaseResult[] = [];
  try {
    for await (const phase of phasesOf(context, target, server, load, reader, meter)) {
      phases.push(phase);
    }
    const times = account.close(phases);
    // A dead server's last connections fail before its end is reported.
    if (server.pids.some((pid) => readProcess(pid) === null)) await server.ended;
    const memory = (meter?.samples ?? []).map(
      ([seconds, bytes]): MemorySample => [rounded(seconds), bytes],
    );
    return { phases, memory, ...times, serverEnd: end };
  } finally {
    meter?.stop();
    await server.stop();
  }
}

async function* phasesOf(
  context: RoundContext,
  target: Target,
  server: RunningTarget,
  load: LoadGroup,
  reader: LoadGroup | null,
  meter: GroupMeter | null,
): AsyncGenerator<PhaseResult> {
  const { plan, progress, workload, stored } = context;
  const { sessions, turns } = plan.shape;
  const phase = (
    name: string,
    chatsWith: LoadGroup | null,
    reads: { repeats: boolean; sessionIds: readonly string[] } | null,
  ): Promise<PhaseResult> => {
    const bar = progress.begin(
      `${target.label}: ${name}`,
      chatsWith === null ? 0 : sessions * turns,
    );
    const reading = {
      url: server.url,
      sessionIds: reads?.sessionIds ?? [],
      concurrency: plan.concurrentGets === 0 ? sessions : plan.concurrentGets,
      bytesMin: stored.summary.payloadCharacters,
      repeats: reads?.repeats ?? false,
    };
    const readsBy = reads === null || reader === null ? null : { by: reader, reading };
    return runPhase({ name, chatsWith, reads: readsBy }, meter, workload.replies, bar);
  };

  const sessionIds = await load.create(server.url, sessions);
  yield await phase("chats", load, null);
  if (plan.records === "after") {
    yield await phase("records", null, { repeats: false, sessionIds });
  } else if (plan.records === "during") {
    await load.create(server.url, sessions);
    yield await phase("chats with GETs", load, { repeats: true, sessionIds });
  }
}

function limitOf(tally: DirectTally): LimitResult {
  const seconds = tally.wallMs / 1000;
  return {
    turnsPerSecond: rounded(tally.turns / seconds),
    bytesPerSecond: Math.round(tally.replyBytes / seconds),
  };
}
