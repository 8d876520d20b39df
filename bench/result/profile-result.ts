/**
 * Results of CPU profiles, one JSON line a run in profile.jsonl.
 */
import type { ProfileShare } from "../profile/cpu-profile.ts";
import type { Shape } from "../workload/shape.ts";
import type { Machine } from "./machine.ts";
import { appendLine, otherFiles, readLines } from "./result-files.ts";
import type { Table } from "./table.ts";

export interface ProfileResult {
  readonly startedAt: string;
  readonly machine: Machine;
  readonly shape: Shape;
  /** Turns that were profiled, all of them by one process. */
  readonly turns: number;
  readonly samples: number;
  /** The largest shares only. */
  readonly functions: readonly ProfileShare[];
  readonly folders: readonly ProfileShare[];
}

export function appendProfileResult(directory: string, result: ProfileResult): void {
  appendLine(directory, otherFiles.profile, result);
}

/** The newest one of each shape. */
export function newestProfileResults(directory: string): ProfileResult[] {
  const results = readLines(directory, otherFiles.profile) as ProfileResult[];
  return [...new Map(results.map((result) => [result.shape.name, result])).values()];
}

export function profileTables({ functions, folders }: ProfileResult): Table[] {
  return [
    {
      heading: ["folder", "share"],
      rows: folders.map(({ name, part }) => [name, formatPart(part)]),
      wordColumns: 1,
    },
    {
      heading: ["function", "file", "share of its own code"],
      rows: functions.map(({ name, place, part }) => [name, place, formatPart(part)]),
      wordColumns: 2,
    },
  ];
}

export function describeProfile({ turns, samples }: ProfileResult): string {
  return `samples of the one process of a server with 1 worker: ${samples} in ${turns} turns`;
}

function formatPart(part: number): string {
  return `${(part * 100).toFixed(1)} %`;
}
