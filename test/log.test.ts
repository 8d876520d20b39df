import { expect, test } from "bun:test";
import { join } from "node:path";

/** Runs `script` in a process of its own, since the log is one per process. */
async function logOf(script: string): Promise<{ stdout: string; stderr: string }> {
  const path = join(import.meta.dir, "..", "src", "log.ts");
  const child = Bun.spawn(
    [process.execPath, "-e", `import { configureLog, log } from ${JSON.stringify(path)};${script}`],
    { stdout: "pipe", stderr: "pipe" },
  );
  const [stdout, stderr] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ]);
  return { stdout, stderr };
}

test("log writes one line with time, level and process to stderr, nothing to stdout", async () => {
  const { stdout, stderr } = await logOf(
    'configureLog("worker 1/2", "info"); log.warn("a", { session: "s", durationMs: 1, text: "two words" });',
  );
  expect(stdout).toBe("");
  expect(stderr).toMatch(
    /^\d{4}-\d\d-\d\dT[\d:.]+Z WARN {2}worker 1\/2: a session=s durationMs=1 text="two words"\n$/,
  );
});

test.each([
  ["debug", "debug info warn error"],
  ["info", "info warn error"],
  ["warn", "warn error"],
  ["error", "error"],
  ["silent", ""],
])("configureLog() at level %s lets through: %s", async (level, expected) => {
  const { stderr } = await logOf(
    `configureLog("p", "${level}"); for (const name of ["debug","info","warn","error"]) log[name](name);`,
  );
  expect([...stderr.matchAll(/p: (\w+)/g)].map((match) => match[1]).join(" ")).toBe(expected);
});

test("log writes an error with its stack", async () => {
  const { stderr } = await logOf('log.error("a", new Error("b"));');
  expect(stderr).toMatch(/ERROR session-server: a Error: b\n +at /);
});

test("configureLog() with json: one object a line, errors and fields as members", async () => {
  const { stderr } = await logOf(
    'configureLog("router", "info", "json"); log.info("a\\nb"); log.warn("c", { status: 502 });' +
      'log.error("d", new Error("e"));',
  );
  const lines = stderr.trim().split("\n");
  const entries = lines.map((line) => JSON.parse(line));
  const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT/);
  expect(entries).toEqual([
    { time, level: "info", process: "router", message: "a\nb" },
    { time, level: "warn", process: "router", message: "c", status: 502 },
    {
      time,
      level: "error",
      process: "router",
      message: "d",
      error: expect.stringContaining("Error: e\n"),
    },
  ]);
});
