/**
 * Memory of processes as the kernel accounts it.
 */
import { readFileSync } from "node:fs";
import { childrenOf } from "./server-process.ts";

/** Proportional set size of a server's processes, bytes. */
export function groupMemory(pid: number): number {
  return [pid, ...childrenOf(pid)].reduce((sum, member) => sum + proportionalMemory(member), 0);
}

function proportionalMemory(pid: number): number {
  try {
    const match = /^Pss:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, "utf8"));
    return Number(match?.[1] ?? 0) * 1024;
  } catch {
    // It ended meanwhile.
    return 0;
  }
}
