/**
 * Results of the micro benchmarks, one JSON line a run in micro.jsonl.
 */
import { appendFileSync, existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { formatNumber } from "./format.ts";
import type { Machine } from "./machine.ts";
import type { Table } from "./table.ts";

/** No shape has this name. */
export const microResultsFile = "micro.jsonl";

export interface MicroMeasurement {
  readonly name: string;
  /** What one operation is. */
  readonly operation: string;
  readonly medianNs: number;
  readonly fastestNs: number;
  /** Bytes that one operation goes through; null where that says nothing. */
  readonly bytes: number | null;
}

export interface MicroResult {
  readonly startedAt: string;
  readonly machine: Machine;
  readonly measurements: readonly MicroMeasurement[];
}

export function appendMicroResult(directory: string, result: MicroResult): void {
  mkdirSync(directory, { recursive: true });
  appendFileSync(join(directory, microResultsFile), `${JSON.stringify(result)}\n`);
}

/** The newest run; null when there is none. */
export function newestMicroResult(directory: string): MicroResult | null {
  const path = join(directory, microResultsFile);
  if (!existsSync(path)) return null;
  const line = readFileSync(path, "utf8").trimEnd().split("\n").at(-1);
  return line === undefined || line === "" ? null : (JSON.parse(line) as MicroResult);
}

export function microTable(measurements: readonly MicroMeasurement[]): Table {
  return {
    heading: ["benchmark", "one operation", "median us", "fastest us", "GB/s"],
    rows: measurements.map(({ name, operation, medianNs, fastestNs, bytes }) => [
      name,
      operation,
      formatNumber(medianNs / 1000),
      formatNumber(fastestNs / 1000),
      bytes === null ? "-" : formatNumber(bytes / medianNs),
    ]),
    wordColumns: 2,
  };
}
