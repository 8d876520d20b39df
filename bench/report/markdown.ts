/**
 * Results as Markdown, for bench/README.md.
 */
import { comparison } from "../result/comparison.ts";
import { doubtAbout } from "../result/machine.ts";
import { type MicroResult, microTable } from "../result/micro-result.ts";
import { originalFigures } from "../result/original-figures.ts";
import type { RoundResult } from "../result/round-result.ts";
import {
  chatTable,
  describeMachineOf,
  describeRun,
  doubtsAbout,
  growthTable,
  recordsTable,
} from "../result/run-tables.ts";
import { markdownTable } from "../result/table.ts";
import { describeShape } from "../workload/shape.ts";

/** @param micro the newest run of the micro benchmarks; null when there is none */
export function markdownReport(
  runs: readonly (readonly RoundResult[])[],
  micro: MicroResult | null,
): string {
  const sections = runs.map(runSection);
  if (micro !== null) sections.push(microSection(micro));
  return sections.join("\n\n");
}

function microSection(micro: MicroResult): string {
  const doubt = doubtAbout(micro.machine);
  return [
    "### micro",
    ...(doubt === null ? [] : [`**Doubtful:** ${doubt}.`]),
    markdownTable(microTable(micro.measurements)),
    `- ${describeMachineOf(micro)}`,
  ].join("\n\n");
}

function runSection(run: readonly RoundResult[]): string {
  const [first] = run;
  if (first === undefined) return "";
  const tables = [chatTable(run), recordsTable(run), growthTable(run)];
  const footers = [...describeRun(run), ...comparison(run), ...originalFigures(first.shape)];
  return [
    `### ${first.shape.name}: ${describeShape(first.shape)}`,
    ...doubtsAbout(run).map((doubt) => `**Doubtful:** ${doubt}.`),
    ...tables.flatMap((table) => (table === null ? [] : [markdownTable(table)])),
    footers.map((line) => `- ${line}`).join("\n"),
  ].join("\n\n");
}
