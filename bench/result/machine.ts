/**
 * The machine and the code that a result belongs to.
 */
import { readFileSync } from "node:fs";
import { cpus, loadavg, release, totalmem } from "node:os";
import { repository } from "../target/target.ts";

export interface Machine {
  readonly cpu: string;
  readonly cores: number;
  readonly memoryBytes: number;
  readonly kernel: string;
  readonly bun: string;
  /** Commit of this checkout, with "+" when it has changes; "unknown" outside of git. */
  readonly commit: string;
  /** Runnable processes in the minute before the run: above 0.5 a core, figures are doubtful. */
  readonly loadBefore: number;
}

export function describeMachine(): Machine {
  const [cpu] = cpus();
  return {
    cpu: cpu === undefined || cpu.model === "unknown" ? cpuModel() : cpu.model,
    cores: navigator.hardwareConcurrency,
    memoryBytes: totalmem(),
    kernel: release(),
    bun: Bun.version,
    commit: commitOf(repository),
    loadBefore: Number((loadavg()[0] ?? 0).toFixed(2)),
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

/** A sentence of doubt, or null when the machine was idle enough. */
export function doubtAbout(machine: Machine): string | null {
  if (machine.loadBefore <= machine.cores / 2) return null;
  return (
    `the machine was busy before the run (load ${machine.loadBefore} on ${machine.cores} cores): ` +
    "do not believe these figures"
  );
}
