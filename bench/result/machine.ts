/**
 * The machine and the code that a result belongs to.
 */
import { readFileSync } from "node:fs";
import { cpus, release, totalmem } from "node:os";
import { systemTime, systemTimeSince } from "../process/system-time.ts";
import { repository } from "../target/target.ts";
import { round } from "./statistics.ts";

export interface Machine {
  readonly cpu: string;
  readonly cores: number;
  readonly memoryBytes: number;
  readonly kernel: string;
  readonly bun: string;
  /** Commit of this checkout, with "+" when it has changes; "unknown" outside of git. */
  readonly commit: string;
  /** Cores that others kept busy just before the run. */
  readonly busyCoresBefore: number;
}

const idleSampleMs = 500;

/** To be called while nothing of the benchmark runs: it looks how idle the machine is. */
export async function describeMachine(): Promise<Machine> {
  const [cpu] = cpus();
  const start = systemTime();
  await Bun.sleep(idleSampleMs);
  const { busySeconds } = systemTimeSince(start);
  return {
    cpu: cpu === undefined || cpu.model === "unknown" ? cpuModel() : cpu.model,
    cores: navigator.hardwareConcurrency,
    memoryBytes: totalmem(),
    kernel: release(),
    bun: Bun.version,
    commit: commitOf(repository),
    busyCoresBefore: round((busySeconds * 1000) / idleSampleMs),
  };
}

function cpuModel(): string {
  const text = readFileSync("/proc/cpuinfo", "utf8");
  return /^model name\s*:\s*(.+)$/m.exec(text)?.[1] ?? "unknown";
}

function commitOf(directory: string): string {
  const git = (...words: string[]): string | null => {
    try {
      const run = Bun.spawnSync(["git", "-C", directory, ...words]);
      return run.success ? run.stdout.toString().trim() : null;
    } catch {
      return null;
    }
  };
  const commit = git("rev-parse", "--short=12", "HEAD");
  if (commit === null) return "unknown";
  const changes = git("status", "--porcelain", "--untracked-files=no", "--", "src");
  return changes === "" ? commit : `${commit}+`;
}

/** Part of the machine that others may have before figures are doubtful. */
const othersPartMax = 0.1;

/** A sentence of doubt about a machine on which something else ran, or null. */
export function doubtAbout(machine: Machine): string | null {
  if (machine.busyCoresBefore <= machine.cores * othersPartMax) return null;
  return (
    `${machine.busyCoresBefore} of ${machine.cores} cores were busy before the run began: ` +
    "do not believe these figures"
  );
}

/** What others used and the host of a virtual machine took while a server was measured. */
export interface OthersTime {
  readonly wallSeconds: number;
  readonly cpuSeconds: number;
  readonly stolenSeconds: number;
}

/** A sentence of doubt about a round, or null. */
export function doubtAboutOthers(machine: Machine, others: OthersTime): string | null {
  const part = (others.cpuSeconds + others.stolenSeconds) / (others.wallSeconds * machine.cores);
  if (!(part > othersPartMax)) return null;
  return `others had ${(part * 100).toFixed(0)} % of the machine: do not believe these figures`;
}
