/**
 * What /proc says about processes: who started whom, memory, processor time. Linux only.
 */
import { readdirSync, readFileSync } from "node:fs";

export interface ProcessEntry {
  readonly pid: number;
  readonly parentPid: number;
  /** Clock ticks since boot at which it started: with the pid, its identity. */
  readonly startTicks: number;
  /** Seconds of processor time, its ended and waited-for children included. */
  readonly cpuSeconds: number;
}

/** Ticks of the kernel's accounting in a second: fixed in the Linux ABI. */
const ticksPerSecond = 100;

/** null when there is no such process, or only its zombie. */
export function readProcess(pid: number): ProcessEntry | null {
  const text = readProc(`${pid}/stat`);
  // The program's name stands in parentheses and may hold anything.
  const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
  const [state, parent] = fields;
  if (state === undefined || state === "" || state === "Z") return null;
  const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
  return {
    pid,
    parentPid: Number(parent),
    startTicks: Number(fields[19]),
    cpuSeconds: ticks / ticksPerSecond,
  };
}

export function isAlive(pid: number, startTicks: number): boolean {
  return readProcess(pid)?.startTicks === startTicks;
}

/** Every process that descends from `rootPid`, which is not among them. */
export function descendantsOf(rootPid: number): ProcessEntry[] {
  const byParent = new Map<number, ProcessEntry[]>();
  for (const name of readdirSync("/proc")) {
    if (!/^\d+$/.test(name)) continue;
    const entry = readProcess(Number(name));
    if (entry === null) continue;
    const siblings = byParent.get(entry.parentPid) ?? [];
    siblings.push(entry);
    byParent.set(entry.parentPid, siblings);
  }
  const found = [...(byParent.get(rootPid) ?? [])];
  for (const entry of found) found.push(...(byParent.get(entry.pid) ?? []));
  return found;
}

/**
 * Proportional set size: memory with its share of what several processes map. 0 when the process
 * has ended.
 */
export function pssBytes(pid: number): number {
  return kibibytes(readProc(`${pid}/smaps_rollup`), "Pss") * 1024;
}

/** The most resident memory that the process ever had, shared memory included. */
export function peakResidentBytes(pid: number): number {
  return kibibytes(readProc(`${pid}/status`), "VmHWM") * 1024;
}

/** "router", "worker 1/2": what a session server's process calls itself; else the program. */
export function processName(pid: number): string {
  const [program = "", ...words] = readProc(`${pid}/cmdline`).split("\0");
  const own = /^session-server (.+)$/.exec(program)?.[1];
  if (own !== undefined) return own;
  const script = words.find((word) => /\.(ts|js|py)$/.test(word)) ?? program;
  return (script.split("/").at(-1) ?? script).replace(/\.(ts|js|py)$/, "");
}

function kibibytes(text: string, field: string): number {
  return Number(new RegExp(`^${field}:\\s+(\\d+) kB$`, "m").exec(text)?.[1] ?? 0);
}

/** "" when the process has ended meanwhile or is not ours to read. */
function readProc(path: string): string {
  try {
    return readFileSync(`/proc/${path}`, "utf8");
  } catch {
    return "";
  }
}
