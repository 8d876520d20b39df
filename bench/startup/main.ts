/**
 * `bun run bench startup`: how long a server takes from its start to its first answers.
 *
 * Contract   every start is a fresh process: with Qwen3's tokenizer in front of a backend that is
 *            there, with the demo tokenizer and the mock engine, a process more, as it starts when
 *            nothing is given. Kinds take turns, in reversed order every other round. Files are in
 *            the page cache: each kind is started once before, which does not count.
 */
import { parseArgs } from "node:util";
import { ChildProcesses } from "../process/child-processes.ts";
import { descendantsOf, pssBytes } from "../process/process-table.ts";
import { describeMachine, doubtAbout } from "../result/machine.ts";
import { describeMachineOf } from "../result/run-tables.ts";
import {
  appendStartupResult,
  type StartupMeasurement,
  type StartupTokenizer,
  startupTable,
} from "../result/startup-result.ts";
import { round } from "../result/statistics.ts";
import { textTable } from "../result/table.ts";
import { checkpointOf, readTarget, resultsDirectoryOf, UsageError } from "../run/command-line.ts";
import { stopOnSignals } from "../run/terminal.ts";
import { type LaunchSettings, launch } from "../target/launch.ts";

const help = `Usage: bun run bench startup [flags]

Times from the start of a server to its line "listening on" and to a healthy /health: with the demo
tokenizer and the mock engine, and with Qwen3's tokenizer in front of a backend, by the program's
own engine and, for the fewest workers, by the library; and the memory of all processes then.

  --workers 1,4,16      worker counts
  --program bun         bun or executable; several are separated by commas
  --rounds 5            starts of each kind
  --checkpoint DIR      directory of a Qwen3 tokenizer
  --results DIR         where the JSON line goes; bench/results by default
  --help                this text`;

interface StartKind {
  readonly program: string;
  readonly tokenizer: StartupTokenizer;
  readonly workers: number;
}

interface StartTimes {
  readonly listening: number;
  readonly healthy: number;
  readonly memoryBytes: number;
}

/** @returns the exit code; @throws UsageError */
export async function runStartup(argv: readonly string[]): Promise<number> {
  const flags = readFlags(argv);
  if (flags.help) {
    console.log(help);
    return 0;
  }
  const kinds = startKinds(flags);
  const checkpoint = checkpointOf(flags.checkpoint);
  const startedAt = new Date().toISOString();
  const machine = await describeMachine();
  const processes = new ChildProcesses();
  const backend = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: () => Response.json({}) });
  const times = new Map<StartKind, StartTimes[]>(kinds.map((kind) => [kind, []]));
  try {
    const exitCode = await stopOnSignals(processes, async () => {
      for (let index = -1; index < flags.rounds; index += 1) {
        for (const kind of index % 2 === 0 ? kinds : kinds.toReversed()) {
          const started = await startOnce(kind, checkpoint, backend.url.origin, processes);
          if (index >= 0) times.get(kind)?.push(started);
        }
      }
    });
    if (exitCode !== 0) return exitCode;
  } finally {
    await backend.stop(true);
  }
  const measurements = [...times].map(
    ([kind, starts]): StartupMeasurement => ({
      ...kind,
      listeningSeconds: starts.map((start) => start.listening),
      healthySeconds: starts.map((start) => start.healthy),
      memoryBytes: starts.map((start) => start.memoryBytes),
    }),
  );
  const doubt = doubtAbout(machine);
  if (doubt !== null) console.log(`WARNING: ${doubt}`);
  console.log(describeMachineOf({ machine, startedAt }));
  console.log(textTable(startupTable(measurements)));
  appendStartupResult(flags.results, { startedAt, machine, measurements });
  return 0;
}

async function startOnce(
  { program, tokenizer, workers }: StartKind,
  checkpoint: string,
  backendUrl: string,
  processes: ChildProcesses,
): Promise<StartTimes> {
  const settings: LaunchSettings = {
    backendUrl: tokenizer === "demo" ? null : backendUrl,
    checkpointDirectory: tokenizer === "demo" ? null : checkpoint,
    usesR3: false,
    serverFlags: tokenizer === "Qwen3, by the library" ? ["--tokenizer", "rust"] : [],
  };
  const target = readTarget(`${program}:${workers}`);
  const startedAt = performance.now();
  const server = await launch(target, settings, processes);
  const listening = (performance.now() - startedAt) / 1000;
  try {
    while (!(await fetch(`${server.url}/health`)).ok);
    const healthy = (performance.now() - startedAt) / 1000;
    const memoryBytes = groupPssBytes(server.pids);
    return { listening: round(listening), healthy: round(healthy), memoryBytes };
  } finally {
    await server.stop();
  }
}

function groupPssBytes(rootPids: readonly number[]): number {
  const pids = [...rootPids, ...rootPids.flatMap((pid) => descendantsOf(pid).map((it) => it.pid))];
  return pids.reduce((sum, pid) => sum + pssBytes(pid), 0);
}

function startKinds(flags: ReturnType<typeof readFlags>): StartKind[] {
  const workers = flags.workers.split(",").map(Number);
  if (workers.some((count) => !Number.isSafeInteger(count) || count < 1)) {
    throw new UsageError(`--workers ${flags.workers}; expected numbers of 1 or more`);
  }
  const programs = flags.program.split(",");
  const unknown = programs.find((program) => program !== "bun" && program !== "executable");
  if (unknown !== undefined) {
    throw new UsageError(`--program ${unknown}; expected bun or executable`);
  }
  for (const program of programs) readTarget(`${program}:1`);
  const fewest = Math.min(...workers);
  return programs.flatMap((program) => [
    ...workers.map((count) => ({ program, tokenizer: "demo" as const, workers: count })),
    ...workers.map((count) => ({ program, tokenizer: "Qwen3" as const, workers: count })),
    // Once, for what the engines differ in.
    { program, tokenizer: "Qwen3, by the library" as const, workers: fewest },
  ]);
}

function readFlags(argv: readonly string[]) {
  try {
    const { values } = parseArgs({
      args: [...argv],
      options: {
        workers: { type: "string", default: "1,4,16" },
        program: { type: "string", default: "bun" },
        rounds: { type: "string", default: "5" },
        checkpoint: { type: "string" },
        results: { type: "string" },
        help: { type: "boolean", short: "h", default: false },
      },
    });
    const rounds = Number(values.rounds);
    if (!Number.isSafeInteger(rounds) || rounds < 1) {
      throw new UsageError(`--rounds ${values.rounds}; expected a whole number of 1 or more`);
    }
    return { ...values, rounds, results: resultsDirectoryOf(values.results) };
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw new UsageError(error instanceof Error ? error.message : String(error), { cause: error });
  }
}
