import { afterAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runTests } from "../../scripts/test.ts";
import { isAlive } from "../harness/server-process.ts";

const project = mkdtempSync(join(tmpdir(), "session-server-run-"));
afterAll(() => rmSync(project, { recursive: true }));

const header = 'import { expect, test } from "bun:test";\n';
const files = {
  "good.test.ts": `${header}test("good", () => {}); test.skip("skipped", () => {});`,
  "bad.test.ts": `${header}test("good", () => {}); test("bad", () => expect(1).toBe(2));`,
  "broken.test.ts": 'import "./missing.ts";',
  "exits.test.ts": `${header}test("exits", () => process.exit(0)); test("never", () => {});`,
  "none.test.ts": "",
  // The process that it leaves holds the stream of the run's output open.
  "leaves.test.ts": `${header}test("good", async () => {
    const left = Bun.spawn(["sleep", "3600"], {
      stderr: "inherit", stdin: "ignore", stdout: "ignore" });
    left.unref();
    await Bun.write("left.pid", String(left.pid));
  });`,
};
for (const [name, text] of Object.entries(files)) await Bun.write(join(project, name), text);

/** Runs some of the files as `bun run test` would. */
async function run(...names: (keyof typeof files)[]) {
  const paths = names.map((name) => `./${name}`);
  return await runTests(project, paths, true);
}

test("runTests() counts what passed and names what was skipped", async () => {
  const result = await run("good.test.ts");
  expect(result).toMatchObject({ passed: 1, failed: 0, complaints: [] });
  expect(result.skipped).toEqual(["good.test.ts: skipped"]);
});

test("runTests() counts failures and files that do not load", async () => {
  expect(await run("good.test.ts", "bad.test.ts")).toMatchObject({ passed: 2, failed: 1 });
  expect(await run("good.test.ts", "broken.test.ts")).toMatchObject({ passed: 1, failed: 1 });
});

test("runTests() repeats what failed", async () => {
  const { failures } = await run("good.test.ts", "bad.test.ts");
  expect(failures).toHaveLength(1);
  expect(failures[0]).toStartWith("bad.test.ts: bad\n");
  expect(failures[0]).toContain("Expected: 2");
});

test("runTests() counts a run that was given up after its first failure", async () => {
  const result = await runTests(project, ["./good.test.ts", "./bad.test.ts", "--bail"], true);
  expect(result).toMatchObject({ failed: 1, complaints: [] });
  expect(result.passed).toBeGreaterThanOrEqual(1);
});

test("runTests() does not wait for what a test left behind", async () => {
  const result = await run("leaves.test.ts");
  const left = Number(await Bun.file(join(project, "left.pid")).text());
  // The event is that runTests() has come back: what was left lives for an hour.
  const outlivedTheRun = isAlive(left);
  process.kill(left, "SIGKILL");
  expect(result).toMatchObject({ passed: 1, failed: 0 });
  expect(outlivedTheRun).toBe(true);
});

test("runTests() is not deceived by process.exit(0) or by empty files", async () => {
  expect(await run("exits.test.ts")).toMatchObject({ passed: 0, failed: 1 });
  expect(await run("none.test.ts")).toMatchObject({ passed: 0, failed: 1 });
});
