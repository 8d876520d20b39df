/**
 * Processor time of other processes to the nanosecond: of a turn that takes a millisecond, the
 * ticks of /proc (10 ms) say nothing.
 *
 * Contract   all threads of a process count, ended ones too: garbage collection and compilation are
 *            part of what a turn costs. Which processes make a server is read from /proc, once.
 * Why so     Linux gives every process a clock of its own (clock_getcpuclockid(3)), which only
 *            libc's clock_gettime reads.
 */
import { dlopen } from "bun:ffi";
import { descendantsOf } from "./process-table.ts";

/** CPUCLOCK_SCHED: what the scheduler has counted, for the whole process. */
const scheduledTime = 2;
const nanosecondsPerSecond = 1e9;

type ClockGettime = (clock: number, time: BigInt64Array) => number;

let clockGettime: ClockGettime | undefined;

function libcClockGettime(): ClockGettime {
  const { symbols } = dlopen("libc.so.6", {
    clock_gettime: { args: ["i32", "ptr"], returns: "i32" },
  });
  return symbols.clock_gettime as ClockGettime;
}

/** Nanoseconds of processor time; NaN when there is no such process. */
export function processCpuNs(pid: number): number {
  clockGettime ??= libcClockGettime();
  const time = new BigInt64Array(2);
  if (clockGettime((~pid << 3) | scheduledTime, time) !== 0) return Number.NaN;
  return Number(time[0]) * nanosecondsPerSecond + Number(time[1]);
}

/** The clocks of a server's processes as one. */
export class GroupCpuClock {
  readonly #pids: readonly number[];

  /** @param rootPids with all that descends from them now */
  constructor(rootPids: readonly number[]) {
    const descendants = rootPids.flatMap((pid) => descendantsOf(pid).map((entry) => entry.pid));
    this.#pids = [...rootPids, ...descendants];
  }

  /** Nanoseconds; NaN once a process has ended, and for no process at all. */
  nanoseconds(): number {
    if (this.#pids.length === 0) return Number.NaN;
    return this.#pids.reduce((sum, pid) => sum + processCpuNs(pid), 0);
  }
}
