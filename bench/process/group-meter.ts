/**
 * Memory and processor time of a server's whole process group, sampled while it runs.
 *
 * Contract   a group is its root processes and all their descendants. Peaks are those of the
 *            samples; `peakResidentBytes` is kept by the kernel and sees what falls between two
 *            samples, but counts shared pages once a process.
 * Why so     a sample reads smaps_rollup, which walks the page tables of gigabytes on the same
 *            cores, so it is not taken more often than samplePeriodMs.
 */
import {
  descendantsOf,
  type ProcessEntry,
  peakResidentBytes,
  processName,
  pssBytes,
  readProcess,
} from "./process-table.ts";

export interface ProcessUse {
  readonly name: string;
  readonly cpuSeconds: number;
  readonly peakPssBytes: number;
}

export interface GroupUse {
  readonly cpuSeconds: number;
  /** The largest sum over the group at one time. */
  readonly peakPssBytes: number;
  /** Sum of each process's largest resident memory: an upper bound. */
  readonly peakResidentBytes: number;
  readonly processes: readonly ProcessUse[];
}

export type MemorySample = [seconds: number, pssBytes: number];

const samplePeriodMs = 250;
/** Points that a curve keeps: more cannot be seen. */
const samplesKeptMax = 240;

interface Member {
  readonly name: string;
  cpuSeconds: number;
  cpuSecondsAtStart: number;
  peakPssBytes: number;
  peakResidentBytes: number;
}

export class GroupMeter {
  readonly #rootPids: readonly number[];
  readonly #members = new Map<number, Member>();
  readonly #startedAt = performance.now();
  readonly #timer: Timer;
  #samples: MemorySample[] = [];
  #peakPssBytes = 0;

  constructor(rootPids: readonly number[]) {
    this.#rootPids = rootPids;
    this.#sample();
    this.#timer = setInterval(() => this.#sample(), samplePeriodMs);
  }

  get samples(): readonly MemorySample[] {
    return this.#samples;
  }

  /** All processor time so far, phase or not, of which `use` counts a part. */
  cpuSeconds(): number {
    this.#sample();
    return sum([...this.#members.values()].map((member) => member.cpuSeconds));
  }

  /** Begins a phase: what was used so far no longer counts. */
  reset(): void {
    this.#peakPssBytes = 0;
    this.#sample();
    for (const member of this.#members.values()) {
      member.cpuSecondsAtStart = member.cpuSeconds;
      member.peakPssBytes = 0;
    }
    this.#sample();
  }

  /** What was used since `reset`. */
  use(): GroupUse {
    this.#sample();
    const members = [...this.#members.values()];
    const processes = members.map(({ name, cpuSeconds, cpuSecondsAtStart, peakPssBytes }) => ({
      name,
      cpuSeconds: cpuSeconds - cpuSecondsAtStart,
      peakPssBytes,
    }));
    return {
      cpuSeconds: sum(processes.map((member) => member.cpuSeconds)),
      peakPssBytes: this.#peakPssBytes,
      peakResidentBytes: sum(members.map((member) => member.peakResidentBytes)),
      processes,
    };
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  #sample(): void {
    let totalPssBytes = 0;
    for (const { pid, cpuSeconds } of this.#group()) {
      const pss = pssBytes(pid);
      const member = this.#member(pid, cpuSeconds);
      member.cpuSeconds = cpuSeconds;
      member.peakPssBytes = Math.max(member.peakPssBytes, pss);
      member.peakResidentBytes = Math.max(member.peakResidentBytes, peakResidentBytes(pid));
      totalPssBytes += pss;
    }
    this.#peakPssBytes = Math.max(this.#peakPssBytes, totalPssBytes);
    this.#samples.push([(performance.now() - this.#startedAt) / 1000, totalPssBytes]);
    if (this.#samples.length > 2 * samplesKeptMax) {
      this.#samples = this.#samples.filter((_, index) => index % 2 === 0);
    }
  }

  #group(): ProcessEntry[] {
    const roots = this.#rootPids.map(readProcess).filter((entry) => entry !== null);
    return [...roots, ...this.#rootPids.flatMap(descendantsOf)];
  }

  #member(pid: number, cpuSeconds: number): Member {
    const known = this.#members.get(pid);
    if (known !== undefined) return known;
    const member: Member = {
      name: processName(pid),
      cpuSeconds,
      cpuSecondsAtStart: 0,
      peakPssBytes: 0,
      peakResidentBytes: 0,
    };
    this.#members.set(pid, member);
    return member;
  }
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
