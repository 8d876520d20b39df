/**
 * Who had the machine's processors while a server was measured: engine, load, the server, and
 * others that have no part in it.
 */
import type { GroupMeter } from "../process/group-meter.ts";
import { readProcess } from "../process/process-table.ts";
import { systemTime, systemTimeSince } from "../process/system-time.ts";
import type { RoundResult } from "../result/round-result.ts";
import { round } from "../result/statistics.ts";

export interface HarnessPids {
  readonly engine: readonly number[];
  readonly load: readonly number[];
}

export class TimeAccount {
  readonly #pids: HarnessPids;
  readonly #meter: GroupMeter | null;
  readonly #startedAt = performance.now();
  readonly #atStart = systemTime();
  readonly #ownAtStart = process.cpuUsage();
  readonly #engineAtStart: number;
  readonly #loadAtStart: number;
  readonly #serverAtStart: number;

  /** @param meter of the server; null when its processes are not known */
  constructor(pids: HarnessPids, meter: GroupMeter | null) {
    this.#pids = pids;
    this.#meter = meter;
    this.#engineAtStart = cpuSecondsOf(pids.engine);
    this.#loadAtStart = cpuSecondsOf(pids.load);
    this.#serverAtStart = meter?.cpuSeconds() ?? Number.NaN;
  }

  close(): Pick<RoundResult, "harness" | "others"> {
    const wallSeconds = (performance.now() - this.#startedAt) / 1000;
    const { busySeconds, stolenSeconds } = systemTimeSince(this.#atStart);
    const engine = cpuSecondsOf(this.#pids.engine) - this.#engineAtStart;
    const load = cpuSecondsOf(this.#pids.load) - this.#loadAtStart;
    const own = process.cpuUsage(this.#ownAtStart);
    const harness = engine + load + (own.user + own.system) / 1e6;
    const server = (this.#meter?.cpuSeconds() ?? Number.NaN) - this.#serverAtStart;
    const others = busySeconds - harness - server;
    return {
      harness: { engineCpuSeconds: round(engine), loadCpuSeconds: round(load) },
      others: Number.isNaN(others)
        ? null
        : {
            wallSeconds: round(wallSeconds),
            cpuSeconds: round(Math.max(0, others)),
            stolenSeconds: round(stolenSeconds),
          },
    };
  }
}

function cpuSecondsOf(pids: readonly number[]): number {
  return pids.reduce((sum, pid) => sum + (readProcess(pid)?.cpuSeconds ?? 0), 0);
}
