/**
 * The phases of a round: what is done to one server, and what of it counts.
 *
 * Contract   the sessions of a phase are deleted when it is over, unless their records are still to
 *            be read, so that every phase finds the server with the same memory to look after.
 *            With GETs `during` chats: chats without, with and again without them, so that neither
 *            a cold start nor a drift of the machine stands on one side.
 */
import type { LoadGroup } from "../load/load-group.ts";
import { addFailures } from "../load/tally.ts";
import type { GroupMeter } from "../process/group-meter.ts";
import { phaseNames } from "../result/phase-names.ts";
import type { PhaseResult } from "../result/round-result.ts";
import type { RunningTarget } from "../target/launch.ts";
import type { StoredWorkload, Workload } from "../workload/workload.ts";
import { runPhase } from "./phase.ts";
import type { Progress } from "./progress.ts";
import type { RunPlan } from "./run-plan.ts";

export interface PhaseContext {
  readonly plan: RunPlan;
  readonly stored: Pick<StoredWorkload, "summary">;
  readonly workload: Pick<Workload, "replies">;
  readonly progress: Progress;
  readonly targetLabel: string;
  readonly server: RunningTarget;
  readonly load: LoadGroup;
  /** null when no records are read. */
  readonly reader: LoadGroup | null;
  readonly meter: GroupMeter | null;
}

interface Reads {
  readonly sessionIds: readonly string[];
  readonly repeats: boolean;
}

export class RoundPhases {
  readonly #context: PhaseContext;
  /** Sessions with a whole conversation, for GETs. */
  #finishedSessions: readonly string[] = [];

  constructor(context: PhaseContext) {
    this.#context = context;
  }

  /**
   * What compiles the server's code before anything counts.
   *
   * @returns one result a pass; none when the plan wants a cold server
   */
  async warmUp(): Promise<PhaseResult[]> {
    const { plan } = this.#context;
    if (plan.warmUpTurns === 0) return [];
    const passes: PhaseResult[] = [];
    for (let pass = 0; pass < plan.warmUpPasses; pass += 1) passes.push(await this.#warmUpPass());
    return passes;
  }

  async #warmUpPass(): Promise<PhaseResult> {
    const { plan, load, server } = this.#context;
    const sessionIds = await load.create(server.url, plan.shape.sessions);
    const chats = { turns: plan.warmUpTurns, inStep: false };
    const phase = await this.#run(phaseNames.warmUp, chats, null);
    if (plan.records !== "during") return await this.#withoutSessions(phase);
    this.#finishedSessions = sessionIds;
    const reads = await this.#run(phaseNames.warmUp, null, { sessionIds, repeats: false });
    return { ...phase, records: reads.records };
  }

  async *measured(): AsyncGenerator<PhaseResult> {
    const { plan } = this.#context;
    if (plan.records === "during") {
      yield await this.#chats(phaseNames.chatsBefore, null);
      const reads = { sessionIds: this.#finishedSessions, repeats: true };
      yield await this.#chats(phaseNames.chatsWithGets, reads);
      yield await this.#chats(phaseNames.chatsAfter, null);
      return;
    }
    const { load, server } = this.#context;
    const sessionIds = await load.create(server.url, plan.shape.sessions);
    const inStep = plan.advance === "in step";
    yield await this.#run(phaseNames.chats, { turns: plan.shape.turns, inStep }, null);
    if (plan.records === "after") {
      yield await this.#run(phaseNames.records, null, { sessionIds, repeats: false });
    }
  }

  /** Chats of new sessions, which are deleted afterwards. */
  async #chats(name: string, reads: Reads | null): Promise<PhaseResult> {
    const { plan, load, server } = this.#context;
    await load.create(server.url, plan.shape.sessions);
    const chats = { turns: plan.shape.turns, inStep: false };
    return await this.#withoutSessions(await this.#run(name, chats, reads));
  }

  async #withoutSessions(phase: PhaseResult): Promise<PhaseResult> {
    const failed = await this.#context.load.deleteSessions();
    if (phase.chat === null) return phase;
    const failures = { ...phase.chat.failures };
    addFailures(failures, failed);
    return { ...phase, chat: { ...phase.chat, failures } };
  }

  async #run(
    name: string,
    chats: { readonly turns: number; readonly inStep: boolean } | null,
    reads: Reads | null,
  ): Promise<PhaseResult> {
    const { plan, stored, workload, progress, targetLabel, server, load, reader, meter } =
      this.#context;
    const { sessions } = plan.shape;
    const turns = chats === null ? 0 : sessions * chats.turns;
    const reading = {
      url: server.url,
      concurrency: plan.concurrentGets === 0 ? sessions : plan.concurrentGets,
      bytesMin: stored.summary.payloadCharacters,
      ...(reads ?? { sessionIds: [], repeats: false }),
    };
    return await runPhase(
      {
        name,
        chats:
          chats === null
            ? null
            : { by: load, turns: chats.turns, inStepWith: chats.inStep ? server.pids : null },
        reads: reads === null || reader === null ? null : { by: reader, reading },
      },
      meter,
      workload.replies,
      progress.begin(`${targetLabel}: ${name}`, turns),
    );
  }
}
