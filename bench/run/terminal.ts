/**
 * Runs plans for a person at a terminal: progress, tables, Ctrl-C.
 *
 * Contract   resolves to the exit code: 0 when every request of every round succeeded, 1 when one
 *            failed or a server did not start, 130 after a signal. No process that was started here is left then.
 */
import { ChildProcesses } from "../process/child-processes.ts";
import { comparison } from "../result/comparison.ts";
import { doubtAbout } from "../result/machine.ts";
import { originalFigures } from "../result/original-figures.ts";
import type { RoundResult } from "../result/round-result.ts";
import {
  chatTable,
  describeRun,
  doubtsAbout,
  growthTable,
  recordsTable,
} from "../result/run-tables.ts";
import { textTable } from "../result/table.ts";
import { LaunchError } from "../target/launch.ts";
import { describeShape } from "../workload/shape.ts";
import { createProgress } from "./progress.ts";
import { runBenchmark } from "./run.ts";
import type { RunPlan } from "./run-plan.ts";

const interruptedCode = 130;

export async function runAtTerminal(plans: readonly RunPlan[]): Promise<number> {
  const processes = new ChildProcesses();
  const progress = createProgress();
  const interrupted = Promise.withResolvers<"interrupted">();
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
    process.on(signal, () => interrupted.resolve("interrupted"));
  }
  let hasFailures = false;
  const running = (async () => {
    for (const plan of plans) {
      const results = await runOne(plan, processes, progress);
      hasFailures ||= results.some(hasFailed);
    }
    return "finished" as const;
  })();
  try {
    const end = await Promise.race([running, interrupted.promise]);
    progress.clear();
    if (end === "finished") return hasFailures ? 1 : 0;
    console.error("interrupted: stopping what was started");
    // Whatever was under way fails now, because its processes go.
    running.catch(() => {});
    await processes.stopAll();
    await running.catch(() => {});
    return interruptedCode;
  } catch (error) {
    if (!(error instanceof LaunchError)) throw error;
    console.error(error.message);
    return 1;
  } finally {
    progress.clear();
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
  for (const table of [chatTable(results), recordsTable(results), growthTable(results)]) {
    if (table !== null) console.log(`\n${textTable(table)}`);
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

function hasFailed({ phases, serverEnd }: RoundResult): boolean {
  if (serverEnd !== null) return true;
  return phases.some(({ chat, records }) =>
    [chat, records].some((part) => part !== null && Object.keys(part.failures).length > 0),
  );
}
