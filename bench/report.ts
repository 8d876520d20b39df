/**
 * `bun run bench:report`: what stands in bench/results as a page, as Markdown, or in the README.
 */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { parseArgs } from "node:util";
import { markdownReport } from "./report/markdown.ts";
import { reportPage } from "./report/page.ts";
import { newestMicroResult } from "./result/micro-result.ts";
import { groupByRun, type RoundResult, readResults } from "./result/round-result.ts";
import { repository } from "./target/target.ts";
import { describeShape } from "./workload/shape.ts";

const help = `Usage: bun run bench:report [flags]

Shows the newest run of every shape in bench/results.

  --out PATH      where the page goes; bench/results/report.html by default
  --results DIR   where the JSON lines are; bench/results by default
  --all           every run, not only the newest ones
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
  const runs = groupByRun(readResults(directory));
  const micro = newestMicroResult(directory);
  if (runs.length === 0 && micro === null) {
    console.error(`bench:report: ${directory} holds no results; run a benchmark first`);
    return 1;
  }
  const shown = values.all ? runs : newestOfEachShape(runs);
  if (values.markdown) {
    console.log(markdownReport(shown, micro));
  } else if (values.readme) {
    return updateReadme(markdownReport(shown, micro));
  } else {
    const path = resolve(values.out ?? join(directory, "report.html"));
    writeFileSync(path, reportPage(shown, micro));
    console.log(relative(process.cwd(), path));
  }
  return 0;
}

function newestOfEachShape(runs: readonly RoundResult[][]): RoundResult[][] {
  const newest = new Map<string, RoundResult[]>();
  for (const run of runs) {
    const [first] = run;
    if (first === undefined) continue;
    const phases = first.phases.map((phase) => phase.name).join(", ");
    newest.set(`${first.shape.name}: ${describeShape(first.shape)}: ${phases}`, run);
  }
  return [...newest.values()];
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
