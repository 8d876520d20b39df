/**
 * Results as one HTML page that needs nothing else: styles and charts are in it.
 */
import { doubtsAbout, partOfLimit } from "../result/doubts.ts";
import { formatBytes, formatNumber } from "../result/format.ts";
import { doubtAbout, type Machine } from "../result/machine.ts";
import { microTable } from "../result/micro-result.ts";
import { originalFigures } from "../result/original-figures.ts";
import { profileTables } from "../result/profile-result.ts";
import type { RoundResult } from "../result/round-result.ts";
import { describeMachineOf, describeRun, runTables } from "../result/run-tables.ts";
import { startupTable } from "../result/startup-result.ts";
import { median } from "../result/statistics.ts";
import { isWordColumn, type Table } from "../result/table.ts";
import { describeShape } from "../workload/shape.ts";
import { escapeText } from "./chart.ts";
import type { Report } from "./report.ts";
import { runCharts, sessionsChart } from "./run-charts.ts";
import styles from "./style.css" with { type: "text" };

export function reportPage({ runs, micro, startup, profiles }: Report): string {
  const links = runs.map((run) => `<a href="#${run[0]?.run}">${escapeText(nameOf(run))}</a>`);
  const others = [
    ...profiles.map((profile) =>
      otherSection(`profile of ${profile.shape.name}`, profile, profileTables(profile)),
    ),
    startup === null ? "" : otherSection("startup", startup, [startupTable(startup.measurements)]),
    micro === null ? "" : otherSection("micro", micro, [microTable(micro.measurements)]),
  ];
  const title = "session-server benchmarks";
  return [
    '<!doctype html><html lang="en"><head><meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    `<title>${title}</title><style>${styles}</style></head><body>`,
    `<h1>${title}</h1>`,
    '<p class="quiet">Bars are medians over rounds, dots are single rounds. Every figure is from ' +
      "the rounds in bench/results; bench/README.md says what is measured and how.</p>",
    `<nav>${links.join("")}</nav>`,
    ...runs.map(section),
    sessionsChart(runs),
    ...others,
    "</body></html>\n",
  ].join("\n");
}

function nameOf(run: readonly RoundResult[]): string {
  const shape = run[0]?.shape;
  return shape === undefined ? "" : `${shape.name} ${shape.sessions} x ${shape.turns}`;
}

function section(run: readonly RoundResult[]): string {
  const [first] = run;
  if (first === undefined) return "";
  return [
    `<section id="${first.run}"><h2>${escapeText(nameOf(run))}</h2>`,
    `<p>${escapeText(describeShape(first.shape))}</p>`,
    ...describeRun(run).map(quiet),
    ...doubtsAbout(run).map((doubt) => `<p class="warning">${escapeText(doubt)}</p>`),
    `<div class="figures">${keyFigures(run)}</div>`,
    `<div class="charts">${runCharts(run)}</div>`,
    ...runTables(run).map(htmlTable),
    ...originalFigures(first.shape).map(quiet),
    "</section>",
  ].join("\n");
}

function otherSection(
  title: string,
  result: { readonly machine: Machine; readonly startedAt: string },
  tables: readonly Table[],
): string {
  const doubt = doubtAbout(result.machine);
  return [
    `<section><h2>${escapeText(title)}</h2>`,
    quiet(describeMachineOf(result)),
    doubt === null ? "" : `<p class="warning">${escapeText(doubt)}</p>`,
    ...tables.map(htmlTable),
    "</section>",
  ].join("\n");
}

function quiet(line: string): string {
  return `<p class="quiet">${escapeText(line)}</p>`;
}

/** The figures of the best target: what one wants to see first. */
function keyFigures(run: readonly RoundResult[]): string {
  const targets = [...Map.groupBy(run, (round) => round.target)].map(([target, rounds]) => ({
    target,
    phases: rounds.flatMap((round) => round.phases.slice(0, 1)),
    rounds,
  }));
  const rate = (phases: (typeof targets)[number]["phases"]): number =>
    median(phases.map(({ chat }) => chat?.turnsPerSecond ?? 0));
  const best = targets.toSorted((left, right) => rate(right.phases) - rate(left.phases))[0];
  if (best === undefined) return "";
  const { target, phases, rounds } = best;
  const middle = (value: (phase: (typeof phases)[number]) => number): number =>
    median(phases.map(value));
  const share = median(
    rounds.map(({ phases: [phase], limits }) =>
      phase === undefined ? 0 : partOfLimit(phase, limits),
    ),
  );
  const failed = run.flatMap((round) =>
    round.phases.flatMap((phase) => [
      ...Object.values(phase.chat?.failures ?? {}),
      ...Object.values(phase.records?.failures ?? {}),
    ]),
  );
  const figures = [
    [formatNumber(rate(phases)), `turns/s, ${target}`],
    [`${formatNumber(middle(({ chat }) => chat?.p50Ms ?? 0))} ms`, "p50"],
    [`${formatNumber(middle(({ chat }) => chat?.p99Ms ?? 0))} ms`, "p99"],
    [
      `${formatBytes(middle(({ chat }) => chat?.ingestBytesPerSecond ?? 0))}/s`,
      `from the engine, ${formatNumber(share)} of the limit`,
    ],
    [formatBytes(middle(({ use }) => use?.peakPssBytes ?? 0)), "peak memory, all processes"],
    [String(failed.reduce((sum, count) => sum + count, 0)), "failed requests, all rounds"],
  ];
  return figures
    .map(([figure = "", label = ""]) => {
      return `<div><b>${escapeText(figure)}</b><span>${escapeText(label)}</span></div>`;
    })
    .join("");
}

function htmlTable(table: Table): string {
  const cell = (tag: "td" | "th", content: string, column: number): string => {
    const kind = isWordColumn(table, column) ? ' class="word"' : "";
    return `<${tag}${kind}>${escapeText(content)}</${tag}>`;
  };
  const row = (cells: readonly string[]): string => {
    const kind = cells[2] === "median" ? ' class="median"' : "";
    const content = cells.map((text, column) => cell("td", text, column)).join("");
    return `<tr${kind}>${content}</tr>`;
  };
  const head = table.heading.map((content, column) => cell("th", content, column)).join("");
  return (
    `<div class="scroll"><table><thead><tr>${head}</tr></thead>` +
    `<tbody>${table.rows.map(row).join("")}</tbody></table></div>`
  );
}
