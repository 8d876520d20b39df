import { describe, expect, test } from "bun:test";
import { existsSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { SocketDirectory } from "../../src/lifecycle/socket-directory.ts";
import { socketPathBytesMax, workerCountMax } from "../../src/limits.ts";

describe("SocketDirectory", () => {
  test("is this user's alone, and goes with all it holds", () => {
    const directory = new SocketDirectory();
    expect(statSync(directory.path).mode & 0o777).toBe(0o700);
    writeFileSync(directory.workerSocketPath(0), "");
    directory.remove();
    expect(existsSync(directory.path)).toBe(false);
    directory.remove();
  });

  test("gives each worker a path of its own that the kernel takes", () => {
    const directory = new SocketDirectory();
    const paths = Array.from({ length: workerCountMax }, (_, index) =>
      directory.workerSocketPath(index),
    );
    directory.remove();
    expect(new Set(paths).size).toBe(workerCountMax);
    for (const path of paths) expect(path.length).toBeLessThanOrEqual(socketPathBytesMax);
  });

  test("passes over a temporary directory whose name is too long", () => {
    const root = mkdtempSync(join(tmpdir(), "long-"));
    const long = join(root, "x".repeat(90));
    mkdirSync(long);
    const directory = new SocketDirectory(long);
    expect(dirname(directory.path)).toBe("/tmp");
    directory.remove();
    rmSync(root, { recursive: true });
  });

  test("goes when the process exits without removing it", async () => {
    const module = fileURLToPath(
      new URL("../../src/lifecycle/socket-directory.ts", import.meta.url),
    );
    const program = `
      const { SocketDirectory } = await import(${JSON.stringify(module)});
      const directory = new SocketDirectory();
      process.stdout.write(directory.path);
      process.exit(3);`;
    const child = Bun.spawn([process.execPath, "-e", program], { stdout: "pipe" });
    const path = await child.stdout.text();
    expect(path).toContain("session-server-");
    expect(await child.exited).toBe(3);
    expect(existsSync(path)).toBe(false);
  });
});
