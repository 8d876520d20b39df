/**
 * Results as Markdown, for bench/README.md.
 */
import { comparison } from "../result/comparison.ts";
import { originalFigures } from "../result/original-figures.ts";
import type { RoundResult } from "../result/round-result.ts";
import {
  chatTable,
  describeRun,
  doubtsAbout,
  growthTable,
  recordsTable,
} from "../result/run-tables.ts";
import { markdownTable } from "../result/table.ts";
import { describeShape } from "../workload/shape.ts";

export function markdownReport(runs: readonly (readonly RoundResult[])[]): string {
  return runs.map(runSection).join("\n\n");
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
