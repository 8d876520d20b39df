/**
 * Runs plans for a person at a terminal: progress, tables, Ctrl-C.
 *
 * Contract   resolves to the exit code: 0 when every request of every round succeeded, 1 when one
 *            failed or a server did not start, 130 after a signal. No process that was started here
 *            is left then.
 */
import { CheckpointError } from "../../src/tokenizer/checkpoint-error.ts";
import { ChildProcesses } from "../process/child-processes.ts";
import { comparison } from "../result/comparison.ts";
import { doubtsAbout } from "../result/doubts.ts";
import { doubtAbout } from "../result/machine.ts";
import { originalFigures } from "../result/original-figures.ts";
import type { RoundResult } from "../result/round-result.ts";
import { describeRun, runTables } from "../result/run-tables.ts";
import { textTable } from "../result/table.ts";
import { LaunchError } from "../target/launch.ts";
import { describeShape } from "../workload/shape.ts";
import { createProgress } from "./progress.ts";
import { runBenchmark } from "./run.ts";
import type { RunPlan } from "./run-plan.ts";

const interruptedCode = 130;

export interface PlansEnd {
  readonly exitCode: number;
  readonly results: readonly RoundResult[];
}

export async function runAtTerminal(plans: readonly RunPlan[]): Promise<number> {
  return (await runPlans(plans)).exitCode;
}

export async function runPlans(plans: readonly RunPlan[]): Promise<PlansEnd> {
  const processes = new ChildProcesses();
  const progress = createProgress();
  const results: RoundResult[] = [];
  const exitCode = await stopOnSignals(processes, async () => {
    try {
      for (const plan of plans) results.push(...(await runOne(plan, processes, progress)));
    } finally {
      progress.clear();
    }
  });
  return { exitCode: exitCode === 0 && results.some(hasFailed) ? 1 : exitCode, results };
}

/**
 * Does what starts processes, and stops them all at its end, at a signal, and when it rejects.
 *
 * @returns 0, 1 when a server did not start or the bytes could not be made, 130 after a signal
 */
export async function stopOnSignals(
  processes: ChildProcesses,
  work: () => Promise<void>,
): Promise<number> {
  const interrupted = Promise.withResolvers<"interrupted">();
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
    process.on(signal, () => interrupted.resolve("interrupted"));
  }
  const running = work();
  try {
    const end = await Promise.race([running, interrupted.promise]);
    if (end !== "interrupted") return 0;
    console.error("interrupted: stopping what was started");
    // Whatever was under way fails now, because its processes go.
    running.catch(() => {});
    await processes.stopAll();
    await running.catch(() => {});
    return interruptedCode;
  } catch (error) {
    // What a person can mend, in the words that say how.
    if (!(error instanceof LaunchError) && !(error instanceof CheckpointError)) throw error;
    console.error(error.message);
    return 1;
  } finally {
    await processes.stopAll();
  }
}

async function runOne(
  plan: RunPlan,
  processes: ChildProcesses,
  progress: ReturnType<typeof createProgress>,
): Promise<RoundResult[]> {
  const results = await runBenchmark(plan, processes, progress, {
    prepared: (_, machine) => {
      progress.clear();
      console.log(`\n${plan.shape.name}: ${describeShape(plan.shape)}`);
      warn(doubtAbout(machine));
    },
    finishedRound: (result) => console.log(roundLine(result)),
  });
  console.log();
  for (const doubt of doubtsAbout(results)) warn(doubt);
  for (const line of describeRun(results)) console.log(line);
  for (const table of runTables(results)) {
    console.log(`\n${textTable(table)}`);
  }
  for (const line of [...comparison(results), ...originalFigures(plan.shape)]) console.log(line);
  for (const { target, round, serverEnd } of results) {
    if (serverEnd !== null)
      console.log(`${target}, round ${round + 1}: server ended: ${serverEnd}`);
  }
  return results;
}

function warn(doubt: string | null): void {
  if (doubt !== null) console.log(`WARNING: ${doubt}`);
}

function roundLine({ target, round, phases }: RoundResult): string {
  const parts = phases.map(({ name, chat, records }) => {
    if (chat !== null) return `${name} ${chat.turnsPerSecond} turns/s, p99 ${chat.p99Ms} ms`;
    return `${name} ${records?.count ?? 0} GETs`;
  });
  return `round ${round + 1}  ${target.padEnd(14)} ${parts.join("; ")}`;
}

function hasFailed({ warmUp, phases, serverEnd }: RoundResult): boolean {
  if (serverEnd !== null) return true;
  return [...warmUp, ...phases].some(({ chat, records }) =>
    [chat, records].some((part) => part !== null && Object.keys(part.failures).length > 0),
  );
}
