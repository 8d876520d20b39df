/**
 * What a run of `bun test` came to, out of the two things it leaves behind: the summary at the end
 * of its output and a JUnit report.
 *
 * Why both   the report does not know of files that could not be loaded, the summary does not name
 *            skipped tests, and a test that calls process.exit(0) leaves neither and exits with 0.
 * Contract   a run that did not end properly has failed, whatever its exit code says.
 */

export interface TestResult {
  readonly passed: number;
  readonly failed: number;
  /** Title and reason, as far as one was given. */
  readonly skipped: readonly string[];
  /** Title and what the report says of it, a text of some lines for each failed test it names. */
  readonly failures: readonly string[];
  /** What else made the run fail, for people. */
  readonly complaints: readonly string[];
}

/**
 * @param output all that the run wrote to stderr, where Bun puts its summary
 * @param report the JUnit file, or null when the run left none
 */
export function readTestResult(
  output: string,
  report: string | null,
  exitCode: number,
): TestResult {
  const counts = readCounts(output, report);
  const complaints: string[] = [];
  if (counts === null) {
    complaints.push(`the run ended before its summary, with exit code ${exitCode}`);
  } else if (counts.passed + counts.failed === 0) {
    complaints.push("no test ran");
  } else if (exitCode !== 0 && counts.failed === 0) {
    complaints.push(`the run ended with exit code ${exitCode} although no test failed`);
  }
  return {
    passed: counts?.passed ?? 0,
    failed: (counts?.failed ?? 0) + complaints.length,
    skipped: report === null ? [] : skippedTests(report),
    failures: report === null ? [] : failedTests(report),
    complaints,
  };
}

interface Counts {
  readonly passed: number;
  readonly failed: number;
}

/** The summary ends the output; what looks like one before that was printed by a test. */
const countLines = /((?:^ *\d+ [^\n]+\n)*)/;
const ranLine = /^Ran \d+ tests? across \d+ files?\.[^\n]*\n/;
const ending = /(Bailed out [^\n]+\n)?\s*(?![\s\S])/;
const summaryPattern = new RegExp(countLines.source + ranLine.source + ending.source, "m");

function findSummary(output: string): RegExpExecArray | null {
  return summaryPattern.exec(Bun.stripANSI(output).replaceAll("\r\n", "\n"));
}

/** Whether all that a run writes has come. */
export function endsWithSummary(output: string): boolean {
  return findSummary(output) !== null;
}

function readCounts(output: string, report: string | null): Counts | null {
  const match = findSummary(output);
  if (match === null) return null;
  const [, block = "", bailed] = match;
  // After --bail the summary has no counts.
  if (bailed !== undefined) return report === null ? null : countsOfReport(report);
  const count = (what: string): number =>
    Number(new RegExp(`^ *(\\d+) ${what}s?$`, "m").exec(block)?.[1] ?? 0);
  // A file that could not be loaded stands under "fail" and once more under "error".
  return { passed: count("pass"), failed: Math.max(count("fail"), count("error")) };
}

function countsOfReport(report: string): Counts {
  const attributes = /<testsuites [^>]*>/.exec(report)?.[0] ?? "";
  const count = (what: string): number =>
    Number(new RegExp(` ${what}="(\\d+)"`).exec(attributes)?.[1] ?? 0);
  return {
    passed: count("tests") - count("failures") - count("skipped"),
    failed: count("failures"),
  };
}

/** Test cases with a `skipped` element, which `test.todo` leaves too. */
function skippedTests(report: string): string[] {
  return casesWith("skipped", report).map(({ title, attributes }) => {
    const message = /message="([^"]*)"/.exec(attributes)?.[1];
    return message === undefined ? title : `${title} (${unescapeXml(message)})`;
  });
}

/** Characters of one failure that are repeated: enough for a difference, not for a body. */
const failureTextMax = 4_000;

function failedTests(report: string): string[] {
  return casesWith("failure", report).map(({ title, attributes, text }) => {
    const message = /message="([^"]*)"/.exec(attributes)?.[1] ?? "";
    const said = unescapeXml(text === "" ? message : text).trim();
    return `${title}\n${said.slice(0, failureTextMax)}`;
  });
}

/** The test cases that hold an element of this name, with its attributes and its text as XML. */
function casesWith(element: string, report: string) {
  const pattern = new RegExp(
    '<testcase name="([^"]*)" classname="([^"]*)"[^>]*? file="([^"]*)"[^>]*>' +
      `\\s*<${element}([^>]*?)(?:/>|>([^<]*))`,
    "g",
  );
  return [...report.matchAll(pattern)].map(
    ([, name = "", group = "", file = "", attributes = "", text = ""]) => ({
      title: unescapeXml(`${file}: ${[group, name].filter((part) => part !== "").join(" > ")}`),
      attributes,
      text,
    }),
  );
}

const xmlEntities: Record<string, string> = { lt: "<", gt: ">", amp: "&", quot: '"', apos: "'" };

function unescapeXml(text: string): string {
  return text.replaceAll(/&(?:#(\d+)|(\w+));/g, (whole, code, name) =>
    code === undefined ? (xmlEntities[name] ?? whole) : String.fromCodePoint(Number(code)),
  );
}
