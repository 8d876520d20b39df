/**
 * Who had the machine's processors during a round: engine, load, and others that have no part in it.
 */
import { readProcess } from "../process/process-table.ts";
import { systemTime, systemTimeSince } from "../process/system-time.ts";
import type { PhaseResult, RoundResult } from "../result/round-result.ts";
import { round } from "../result/statistics.ts";

export interface HarnessPids {
  readonly engine: readonly number[];
  readonly load: readonly number[];
}

export class TimeAccount {
  readonly #pids: HarnessPids;
  readonly #atStart = systemTime();
  readonly #ownAtStart = process.cpuUsage();
  readonly #engineAtStart: number;
  readonly #loadAtStart: number;

  constructor(pids: HarnessPids) {
    this.#pids = pids;
    this.#engineAtStart = cpuSecondsOf(pids.engine);
    this.#loadAtStart = cpuSecondsOf(pids.load);
  }

  /** @param phases all that the server did meanwhile */
  close(phases: readonly PhaseResult[]): Pick<RoundResult, "harness" | "others"> {
    const { busySeconds, stolenSeconds } = systemTimeSince(this.#atStart);
    const engine = cpuSecondsOf(this.#pids.engine) - this.#engineAtStart;
    const load = cpuSecondsOf(this.#pids.load) - this.#loadAtStart;
    const own = process.cpuUsage(this.#ownAtStart);
    const harness = engine + load + (own.user + own.system) / 1e6;
    const server = phases.reduce((sum, { use }) => sum + (use?.cpuSeconds ?? Number.NaN), 0);
    const others = busySeconds - harness - server;
    return {
      harness: { engineCpuSeconds: round(engine), loadCpuSeconds: round(load) },
      others: Number.isNaN(others)
        ? null
        : { cpuSeconds: round(Math.max(0, others)), stolenSeconds: round(stolenSeconds) },
    };
  }
}

function cpuSecondsOf(pids: readonly number[]): number {
  return pids.reduce((sum, pid) => sum + (readProcess(pid)?.cpuSeconds ?? 0), 0);
}
