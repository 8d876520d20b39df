/**
 * `bun run test`: installs what is missing, runs the tests and ends with one line of its own,
 * "N passed, N failed". Arguments go to `bun test`: files, `-t <title>`, `--bail`, ...
 *
 * Contract   exits with 0 only when at least one test ran and none failed; the counts are those of
 *            the run (test-result.ts); skipped and failed tests are named before the last line, failed
 *            ones with what they said.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ensureDependencies, projectRoot } from "./dependencies.ts";
import { readTestResult, type TestResult } from "./test-result.ts";

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

/** Milliseconds that output may still be on its way after the run has ended. */
const lastOutputMs = 2_000;

/** Reads a stream from now on; `text` gives all of it, without waiting for ever for its end. */
function collect(stream: ReadableStream<Uint8Array>, isQuiet: boolean) {
  const chunks: Uint8Array[] = [];
  const ended = (async () => {
    for await (const chunk of stream) {
      chunks.push(chunk);
      if (!isQuiet) process.stderr.write(chunk);
    }
  })();
  return {
    async text(): Promise<string> {
      // A process that a test left behind would hold the stream open.
      await Promise.race([ended, Bun.sleep(lastOutputMs)]);
      return Buffer.concat(chunks).toString();
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
