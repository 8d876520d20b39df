/**
 * `bun run bench:report`: what stands in bench/results as a page, as Markdown, or in the README.
 */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { parseArgs } from "node:util";
import { markdownReport } from "./report/markdown.ts";
import { reportPage } from "./report/page.ts";
import type { Report } from "./report/report.ts";
import { newestMicroResult } from "./result/micro-result.ts";
import { newestProfileResults } from "./result/profile-result.ts";
import { groupByRun, readResults, roundsOfNewestCommits } from "./result/round-result.ts";
import { newestStartupResult } from "./result/startup-result.ts";
import { repository } from "./target/target.ts";

const help = `Usage: bun run bench:report [flags]

Shows every shape in bench/results: all rounds of the newest commit that was measured.

  --out PATH      where the page goes; bench/results/report.html by default
  --results DIR   where the JSON lines are; bench/results by default
  --all           every run by itself, also of older commits
  --markdown      print the tables as Markdown and write no page
  --readme        put the tables between the marks of bench/README.md and write no page
  --help          this text`;

const readmePath = join(import.meta.dir, "README.md");
const marks = { start: "<!-- results -->", end: "<!-- end of results -->" };

function readFlags(argv: readonly string[]) {
  return parseArgs({
    args: [...argv],
    options: {
      out: { type: "string" },
      results: { type: "string" },
      all: { type: "boolean", default: false },
      markdown: { type: "boolean", default: false },
      readme: { type: "boolean", default: false },
      help: { type: "boolean", short: "h", default: false },
    },
  });
}

function main({ values }: ReturnType<typeof readFlags>): number {
  if (values.help) {
    console.log(help);
    return 0;
  }
  const directory = resolve(values.results ?? join(repository, "bench", "results"));
  const results = readResults(directory);
  const report: Report = {
    runs: values.all ? groupByRun(results) : roundsOfNewestCommits(results),
    micro: newestMicroResult(directory),
    startup: newestStartupResult(directory),
    profiles: newestProfileResults(directory),
  };
  if (isEmpty(report)) {
    console.error(`bench:report: ${directory} holds no results; run a benchmark first`);
    return 1;
  }
  if (values.markdown) {
    console.log(markdownReport(report));
  } else if (values.readme) {
    return updateReadme(markdownReport(report));
  } else {
    const path = resolve(values.out ?? join(directory, "report.html"));
    writeFileSync(path, reportPage(report));
    console.log(relative(process.cwd(), path));
  }
  return 0;
}

function isEmpty({ runs, micro, startup, profiles }: Report): boolean {
  return runs.length === 0 && micro === null && startup === null && profiles.length === 0;
}

function updateReadme(tables: string): number {
  const text = existsSync(readmePath) ? readFileSync(readmePath, "utf8") : "";
  const start = text.indexOf(marks.start);
  const end = text.indexOf(marks.end);
  if (start < 0 || end < start) {
    console.error(`bench:report: bench/README.md lacks the marks ${marks.start} ${marks.end}`);
    return 1;
  }
  const before = text.slice(0, start + marks.start.length);
  writeFileSync(readmePath, `${before}\n\n${tables}\n\n${text.slice(end)}`);
  console.log("bench/README.md");
  return 0;
}

try {
  process.exitCode = main(readFlags(process.argv.slice(2)));
} catch (error) {
  // The words of a wrong flag, of a directory that is not there, or of a line that is no JSON.
  console.error(`bench:report: ${error instanceof Error ? error.message : error}`);
  process.exitCode = 2;
}
