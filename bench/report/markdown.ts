/**
 * Results as Markdown, for bench/README.md.
 */
import { comparison } from "../result/comparison.ts";
import { doubtsAbout } from "../result/doubts.ts";
import { doubtAbout, type Machine } from "../result/machine.ts";
import { microTable } from "../result/micro-result.ts";
import { originalFigures } from "../result/original-figures.ts";
import { describeProfile, profileTables } from "../result/profile-result.ts";
import type { RoundResult } from "../result/round-result.ts";
import { describeMachineOf, describeRun, runTables } from "../result/run-tables.ts";
import { startupTable } from "../result/startup-result.ts";
import { markdownTable } from "../result/table.ts";
import { describeShape } from "../workload/shape.ts";
import type { Report } from "./report.ts";

export function markdownReport({ runs, micro, startup, profiles }: Report): string {
  return [
    ...runs.map(runSection),
    ...profiles.map((profile) =>
      section(`profile of ${profile.shape.name}`, profile, [
        ...profileTables(profile).map(markdownTable),
        `- ${describeShape(profile.shape)}\n- ${describeProfile(profile)}`,
      ]),
    ),
    ...(startup === null
      ? []
      : [section("startup", startup, [markdownTable(startupTable(startup.measurements))])]),
    ...(micro === null
      ? []
      : [section("micro", micro, [markdownTable(microTable(micro.measurements))])]),
  ].join("\n\n");
}

function section(
  title: string,
  result: { readonly machine: Machine; readonly startedAt: string },
  parts: readonly string[],
): string {
  const doubt = doubtAbout(result.machine);
  return [
    `### ${title}`,
    ...(doubt === null ? [] : [`**Doubtful:** ${doubt}.`]),
    ...parts,
    `- ${describeMachineOf(result)}`,
  ].join("\n\n");
}

function runSection(run: readonly RoundResult[]): string {
  const [first] = run;
  if (first === undefined) return "";
  const footers = [...describeRun(run), ...comparison(run), ...originalFigures(first.shape)];
  return [
    `### ${first.shape.name}: ${describeShape(first.shape)}`,
    ...doubtsAbout(run).map((doubt) => `**Doubtful:** ${doubt}.`),
    ...runTables(run).map(markdownTable),
    footers.map((line) => `- ${line}`).join("\n"),
  ].join("\n\n");
}
