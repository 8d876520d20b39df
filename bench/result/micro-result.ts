/**
 * Results of the micro benchmarks, one JSON line a run in micro.jsonl.
 */
import { formatNumber } from "./format.ts";
import type { Machine } from "./machine.ts";
import { appendLine, otherFiles, readLines } from "./result-files.ts";
import type { Table } from "./table.ts";

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
  appendLine(directory, otherFiles.micro, result);
}

/** The newest run; null when there is none. */
export function newestMicroResult(directory: string): MicroResult | null {
  return (readLines(directory, otherFiles.micro).at(-1) ?? null) as MicroResult | null;
}

export function microTable(measurements: readonly MicroMeasurement[]): Table {
  return {
    heading: ["benchmark", "one operation", "median us", "fastest us", "MB/s"],
    rows: measurements.map(({ name, operation, medianNs, fastestNs, bytes }) => [
      name,
      operation,
      formatNumber(medianNs / 1000),
      formatNumber(fastestNs / 1000),
      bytes === null ? "-" : formatNumber((bytes / medianNs) * 1000),
    ]),
    wordColumns: 2,
  };
}
