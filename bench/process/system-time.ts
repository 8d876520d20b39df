/**
 * Processor time of the whole machine, to tell how much of it others took.
 */
import { readFileSync } from "node:fs";

export interface SystemTime {
  /** Seconds in which some process ran; interrupts belong to nobody and do not count. */
  readonly busySeconds: number;
  /** Seconds that a virtual machine's host gave to others. */
  readonly stolenSeconds: number;
}

const ticksPerSecond = 100;

export function systemTime(): SystemTime {
  const [line = ""] = readFileSync("/proc/stat", "utf8").split("\n");
  const ticks = line.split(/\s+/).slice(1).map(Number);
  const [user = 0, nice = 0, system = 0, , , , , stolen = 0] = ticks;
  return {
    busySeconds: (user + nice + system) / ticksPerSecond,
    stolenSeconds: stolen / ticksPerSecond,
  };
}

export function systemTimeSince(start: SystemTime): SystemTime {
  const now = systemTime();
  return {
    busySeconds: now.busySeconds - start.busySeconds,
    stolenSeconds: now.stolenSeconds - start.stolenSeconds,
  };
}
