import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ensureDependencies } from "../../scripts/dependencies.ts";

let project: string;

beforeEach(async () => {
  project = mkdtempSync(join(tmpdir(), "session-server-install-"));
  // A dependency inside the project: nothing has to be downloaded.
  await Bun.write(join(project, "local/package.json"), '{"name": "local", "version": "1.0.0"}');
  await Bun.write(
    join(project, "package.json"),
    '{"name": "p", "dependencies": {"local": "file:./local"}}',
  );
  const install = Bun.spawn([process.execPath, "install", "--lockfile-only"], {
    cwd: project,
    stdout: "ignore",
    stderr: "ignore",
  });
  expect(await install.exited).toBe(0);
});

afterEach(() => rmSync(project, { recursive: true }));

test("ensureDependencies() installs once and again when the lockfile changes", async () => {
  expect(await ensureDependencies(project)).toBe(true);
  expect(await Bun.file(join(project, "node_modules/local/package.json")).exists()).toBe(true);
  expect(await ensureDependencies(project)).toBe(false);
  const lockfile = Bun.file(join(project, "bun.lock"));
  await Bun.write(lockfile, `${await lockfile.text()}\n`);
  expect(await ensureDependencies(project)).toBe(true);
});

test("ensureDependencies() fails when the lockfile does not fit package.json", async () => {
  await Bun.write(
    join(project, "package.json"),
    '{"name": "p", "dependencies": {"absent": "file:./absent"}}',
  );
  await expect(ensureDependencies(project)).rejects.toThrow("ended with code 1");
});
