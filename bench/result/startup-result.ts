/**
 * Results of start-up measurements, one JSON line a run in startup.jsonl.
 */
import { formatMebibytes, formatNumber } from "./format.ts";
import type { Machine } from "./machine.ts";
import { appendLine, otherFiles, readLines } from "./result-files.ts";
import { median } from "./statistics.ts";
import type { Table } from "./table.ts";

/** The library is the `tokenizers` package, which takes the place of the program's own engine. */
export type StartupTokenizer = "demo" | "Qwen3" | "Qwen3, by the library";

export interface StartupMeasurement {
  /** How the server is started: "bun", "executable". */
  readonly program: string;
  readonly tokenizer: StartupTokenizer;
  readonly workers: number;
  /** One a start: seconds from the start of the process to its line "listening on". */
  readonly listeningSeconds: readonly number[];
  /** The same to the first answer 200 of GET /health. */
  readonly healthySeconds: readonly number[];
  /** Proportional set size of all processes then. */
  readonly memoryBytes: readonly number[];
}

export interface StartupResult {
  readonly startedAt: string;
  readonly machine: Machine;
  readonly measurements: readonly StartupMeasurement[];
}

export function appendStartupResult(directory: string, result: StartupResult): void {
  appendLine(directory, otherFiles.startup, result);
}

/** The newest run; null when there is none. */
export function newestStartupResult(directory: string): StartupResult | null {
  return (readLines(directory, otherFiles.startup).at(-1) ?? null) as StartupResult | null;
}

export function startupTable(measurements: readonly StartupMeasurement[]): Table {
  return {
    heading: [
      ...["program", "tokenizer", "workers", "starts"],
      ...["listening s", "range", "healthy s", "range", "MiB"],
    ],
    rows: measurements.map((measurement) => {
      const { program, tokenizer, workers, memoryBytes } = measurement;
      const { listeningSeconds, healthySeconds } = measurement;
      return [
        program,
        tokenizer,
        String(workers),
        String(listeningSeconds.length),
        ...medianAndRange(listeningSeconds),
        ...medianAndRange(healthySeconds),
        formatMebibytes(median(memoryBytes)),
      ];
    }),
    wordColumns: 2,
  };
}

function medianAndRange(seconds: readonly number[]): [string, string] {
  const [least, most] = [Math.min(...seconds), Math.max(...seconds)].map(formatNumber);
  return [formatNumber(median(seconds)), `${least}..${most}`];
}
