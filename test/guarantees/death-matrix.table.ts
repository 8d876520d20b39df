/**
 * The matrix as docs/guarantees.md shows it: a row for who dies and how, a column for what the
 * server was doing.
 *
 *   UPDATE_DEATH_MATRIX=1 bun run test test/guarantees/death-matrix.test.ts
 *
 * writes the times of that run into the document; cases that did not run keep theirs.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  type DeathCase,
  deathNames,
  deaths,
  exitCodeOf,
  obstacle,
  occupationNames,
  occupations,
  titleOf,
  victims,
} from "./death-matrix.cases.ts";
import { documentedTable } from "./documented-table.ts";

/** Milliseconds from the deed; null where there was nobody to notice or to wait. */
export interface DeathTimes {
  /** Until the log named the process that died. */
  readonly noticedMs: number | null;
  /** Until the last client that waited knew. */
  readonly clientsKnowMs: number | null;
  /** Until no process was left. */
  readonly nobodyLeftMs: number;
}

const document = "docs/guarantees.md";
const impossible = "cannot be";
const leadingColumns = ["who", "how", "exit code"] as const;

/** The rows that the document must have, with `cellOf` for each case that can be. */
export function matrixRows(cellOf: (one: DeathCase) => string): string[][] {
  return victims.flatMap((victim) =>
    deaths.map((death) => [
      victim,
      deathNames[death],
      String(exitCodeOf({ victim, death })),
      ...occupations.map((occupation) => {
        const one = { victim, death, occupation };
        return obstacle(one) === null ? cellOf(one) : impossible;
      }),
    ]),
  );
}

const matrixHeadings: readonly string[] = [
  ...leadingColumns,
  ...occupations.map((occupation) => occupationNames[occupation]),
];

/** The rows of the document as they stand. */
export function documentedMatrix(): string[][] {
  return documentedTable(document, `${leadingColumns.join(" | ")} | ${occupationNames.idle}`);
}

/** "4 / 510 / 560": what became known when, in milliseconds. */
export function timesText({ noticedMs, clientsKnowMs, nobodyLeftMs }: DeathTimes): string {
  return [noticedMs, clientsKnowMs, nobodyLeftMs]
    .map((ms) => (ms === null ? "-" : String(Math.round(ms))))
    .join(" / ");
}

/** Writes the times that were measured into the document. */
export function updateMatrix(measured: ReadonlyMap<string, DeathTimes>): void {
  const path = join(import.meta.dir, "..", "..", document);
  const lines = readFileSync(path, "utf8").split("\n");
  const start = lines.findIndex((line) => line.startsWith(`| ${leadingColumns.join(" | ")} |`));
  const length = lines.slice(start).findIndex((line) => !line.startsWith("|"));
  const known = new Map(documentedMatrix().map((cells) => [cells.slice(0, 2).join(), cells]));
  const rows = matrixRows((one) => {
    const times = measured.get(titleOf(one));
    if (times !== undefined) return timesText(times);
    const column = leadingColumns.length + occupations.indexOf(one.occupation);
    return known.get([one.victim, deathNames[one.death]].join())?.[column] ?? "not measured";
  });
  const table = [matrixHeadings, ...rows].map((cells) => `| ${cells.join(" | ")} |`);
  table.splice(1, 0, `|${"---|".repeat(matrixHeadings.length)}`);
  lines.splice(start, length, ...table);
  writeFileSync(path, lines.join("\n"));
}

/** One line on all of a run, and on its slowest cases. */
export function summary(measured: ReadonlyMap<string, DeathTimes>): string {
  const slowest = (what: string, msOf: (times: DeathTimes) => number | null): string => {
    const entries = [...measured].map(([title, times]) => ({ title, ms: msOf(times) ?? 0 }));
    const last = entries.toSorted((a, b) => b.ms - a.ms)[0];
    return last === undefined ? "" : `; ${what} ${Math.round(last.ms)} ms (${last.title})`;
  };
  return (
    `${measured.size} deaths${slowest("the last noticed after", ({ noticedMs }) => noticedMs)}` +
    slowest("the last client knew after", ({ clientsKnowMs }) => clientsKnowMs) +
    slowest("the last process was gone after", ({ nobodyLeftMs }) => nobodyLeftMs)
  );
}
