/**
 * `bun run test`: installs what is missing, runs the tests and ends with one line of its own,
 * "N passed, N failed". Arguments go to `bun test`: files, `-t <title>`, `--bail`, ...
 *
 * Contract   exits with 0 only when at least one test ran and none failed; the counts are those of
 *            the run (test-result.ts); skipped and failed tests are named before the last line,
 *            failed ones with what they said.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { hangMs } from "../test/harness/time-limit.ts";
import { ensureDependencies, projectRoot } from "./dependencies.ts";
import { endsWithSummary, readTestResult, type TestResult } from "./test-result.ts";

/** Runs `bun test` in `root`; unless `isQuiet`, passes on what it writes while it writes it. */
export async function runTests(
  root: string,
  testArguments: readonly string[],
  isQuiet = false,
): Promise<TestResult> {
  const reportDirectory = await mkdtemp(join(tmpdir(), "session-server-test-"));
  const reportPath = join(reportDirectory, "junit.xml");
  try {
    const run = Bun.spawn(
      [
        process.execPath,
        "test",
        "--reporter=junit",
        `--reporter-outfile=${reportPath}`,
        // Bun's own limit of 5 s is one on the machine: a stalled one starts no process in that.
        `--timeout=${hangMs}`,
        ...testArguments,
      ],
      {
        cwd: root,
        // Bun writes its results to stderr; colours would be lost with the terminal.
        env: { ...process.env, ...(process.stderr.isTTY ? { FORCE_COLOR: "1" } : {}) },
        stdin: "ignore",
        stdout: isQuiet ? "ignore" : "inherit",
        stderr: "pipe",
      },
    );
    const output = collect(run.stderr, isQuiet);
    const exitCode = await run.exited;
    const text = await output.text();
    const report = Bun.file(reportPath);
    return readTestResult(text, (await report.exists()) ? await report.text() : null, exitCode);
  } finally {
    await rm(reportDirectory, { recursive: true, force: true });
  }
}

/** Milliseconds that a summary may still be on its way after the run has ended. */
const lastOutputMs = 30_000;

/** Reads a stream from now on; `text` gives all of it, without waiting for ever for its end. */
function collect(stream: ReadableStream<Uint8Array>, isQuiet: boolean) {
  const chunks: Uint8Array[] = [];
  const textSoFar = (): string => Buffer.concat(chunks).toString();
  const summarized = Promise.withResolvers<void>();
  let isOver = false;
  const ended = (async () => {
    for await (const chunk of stream) {
      chunks.push(chunk);
      if (!isQuiet) process.stderr.write(chunk);
      if (isOver && endsWithSummary(textSoFar())) summarized.resolve();
    }
  })();
  return {
    /** To be called when the run is over. */
    async text(): Promise<string> {
      isOver = true;
      if (endsWithSummary(textSoFar())) return textSoFar();
      // A process that a test left behind would hold the stream open: its end is not to be had.
      await Promise.race([ended, summarized.promise, Bun.sleep(lastOutputMs)]);
      return textSoFar();
    },
  };
}

if (import.meta.main) {
  await ensureDependencies();
  const result = await runTests(projectRoot, process.argv.slice(2));
  for (const title of result.skipped) console.log(`skipped: ${title}`);
  // Once more where a log that keeps only its end still has it.
  for (const failure of result.failures) console.log(`failed: ${failure}`);
  for (const complaint of result.complaints) console.log(`failed: ${complaint}`);
  console.log(`${result.passed} passed, ${result.failed} failed`);
  process.exit(result.failed === 0 ? 0 : 1);
}
