/**
 * `bun run bench profile <shape>`: where the time of a turn goes, from a CPU profile of the server
 * with one worker, which is one process.
 *
 * Contract   the result is kept; the times of the run are not, because a profiled server is slower.
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  appendProfileResult,
  describeProfile,
  type ProfileResult,
  profileTables,
} from "../result/profile-result.ts";
import type { RoundResult } from "../result/round-result.ts";
import { describeMachineOf } from "../result/run-tables.ts";
import { round } from "../result/statistics.ts";
import { textTable } from "../result/table.ts";
import { flagsHelp, plansOf, readCommandLine, UsageError } from "../run/command-line.ts";
import { runPlans } from "../run/terminal.ts";
import { repository, supervisorPath, type Target } from "../target/target.ts";
import { type CpuProfile, type ProfileShare, summarizeProfile } from "./cpu-profile.ts";

const help = `Usage: bun run bench profile <shape> [flags]

Profiles this server from source with one worker and stores which functions take the time of a
turn in profile.jsonl. One round; --workers and --target are not for it.

${flagsHelp()}`;

const functionsKept = 25;
const foldersKept = 12;

/** @returns the exit code; @throws UsageError */
export async function runProfile(argv: readonly string[]): Promise<number> {
  const { words, values, asksForHelp } = readCommandLine(argv);
  const [shapeName, ...more] = words;
  if (asksForHelp || shapeName === undefined) {
    console.log(help);
    return asksForHelp ? 0 : 2;
  }
  if (more.length > 0) throw new UsageError(`"${more[0]}" is not understood; expected one shape`);
  for (const flag of ["workers", "target", "rounds"] as const) {
    if (values[flag] !== undefined) throw new UsageError(`--${flag} is not for a profile`);
  }
  const directory = mkdtempSync(join(tmpdir(), "session-server-bench-profile-"));
  try {
    const plans = plansOf(shapeName, { ...values, rounds: ["1"] }, [profiledTarget(directory)]);
    const [plan] = plans;
    if (plan === undefined || plans.length > 1) {
      throw new UsageError("--sessions; expected one number for a profile");
    }
    const { exitCode, results } = await runPlans([{ ...plan, resultsDirectory: null }]);
    const [result] = results;
    if (exitCode !== 0 || result === undefined) return exitCode === 0 ? 1 : exitCode;
    const profile = profileOf(result, readProfile(directory));
    if (plan.resultsDirectory !== null) appendProfileResult(plan.resultsDirectory, profile);
    console.log(`\n${describeProfile(profile)}\n${describeMachineOf(profile)}`);
    for (const table of profileTables(profile)) console.log(`\n${textTable(table)}`);
    return 0;
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

function profiledTarget(directory: string): Target {
  const profiler = ["--cpu-prof", `--cpu-prof-dir=${directory}`];
  const argv = [process.execPath, ...profiler, "run", supervisorPath];
  return { kind: "program", label: "bun:1 under a profiler", argv, workers: 1 };
}

function readProfile(directory: string): CpuProfile {
  const [file, ...more] = readdirSync(directory).filter((name) => name.endsWith(".cpuprofile"));
  if (file === undefined) throw new Error("the server left no profile behind");
  if (more.length > 0)
    throw new Error("the server left several profiles: it was several processes");
  return JSON.parse(readFileSync(join(directory, file), "utf8")) as CpuProfile;
}

function profileOf(result: RoundResult, profile: CpuProfile): ProfileResult {
  const { startedAt, machine, shape, phases } = result;
  const [phase] = phases;
  if (phase === undefined) throw new Error("the run had no phase");
  const fromMs = phase.startedAtMs;
  const window = { fromMs, toMs: fromMs + phase.wallSeconds * 1000 };
  const { samples, functions, folders } = summarizeProfile(profile, repository, window);
  const largest = (shares: readonly ProfileShare[], count: number): ProfileShare[] =>
    shares.slice(0, count).map((share) => ({ ...share, part: round(share.part) }));
  return {
    startedAt,
    machine,
    shape,
    turns: phase.chat?.count ?? 0,
    samples,
    functions: largest(functions, functionsKept),
    folders: largest(folders, foldersKept),
  };
}
