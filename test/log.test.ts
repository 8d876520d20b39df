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
  const { stdout, stderr } = await logOf('configureLog("worker 1/2", "info"); log.warn("a", 1);');
  expect(stdout).toBe("");
  expect(stderr).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z WARN {2}worker 1\/2: a 1\n$/);
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
