import { describe, expect, test } from "bun:test";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { SocketDirectory } from "../../src/lifecycle/socket-directory.ts";
import { socketPathBytesMax, workerCountMax } from "../../src/limits.ts";
import { socketsRoot } from "../harness/machine.ts";

describe("SocketDirectory", () => {
  test("is this user's alone, and goes with all it holds", async () => {
    const directory = await SocketDirectory.create();
    expect(statSync(directory.path).mode & 0o777).toBe(0o700);
    writeFileSync(directory.workerSocketPath(0), "");
    directory.remove();
    expect(existsSync(directory.path)).toBe(false);
    directory.remove();
  });

  test("gives each worker a path of its own that the kernel takes", async () => {
    const directory = await SocketDirectory.create();
    const paths = Array.from({ length: workerCountMax }, (_, index) =>
      directory.workerSocketPath(index),
    );
    directory.remove();
    expect(new Set(paths).size).toBe(workerCountMax);
    for (const path of paths) expect(path.length).toBeLessThanOrEqual(socketPathBytesMax);
  });

  test("passes over a temporary directory whose name is too long", async () => {
    const root = mkdtempSync(join(socketsRoot, "long-"));
    const long = join(root, "x".repeat(90));
    mkdirSync(long);
    const directory = await SocketDirectory.create(long);
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
      const directory = await SocketDirectory.create();
      process.stdout.write(directory.path);
      process.exit(3);`;
    const child = Bun.spawn([process.execPath, "-e", program], { stdout: "pipe" });
    const path = await child.stdout.text();
    expect(path).toContain("session-server-");
    expect(await child.exited).toBe(3);
    expect(existsSync(path)).toBe(false);
  });

  test.each([
    ["is not there", (root: string) => join(root, "nothing")],
    [
      "is a file",
      (root: string) => {
        writeFileSync(join(root, "file"), "");
        return join(root, "file");
      },
    ],
  ])("says in one sentence that the temporary directory %s", async (_what, make) => {
    const root = mkdtempSync(join(socketsRoot, "no-"));
    const parent = make(root);
    await expect(SocketDirectory.create(parent)).rejects.toThrow(
      `no directory for sockets can be made in ${parent}, which TMPDIR names: E`,
    );
    rmSync(root, { recursive: true });
  });
});

describe("SocketDirectory.create() and what others left", () => {
  const module = fileURLToPath(new URL("../../src/lifecycle/socket-directory.ts", import.meta.url));

  /** A process that owns a directory with a worker's socket in it. */
  async function startOwner(root: string) {
    const program = `
      const { SocketDirectory } = await import(${JSON.stringify(module)});
      const directory = await SocketDirectory.create(${JSON.stringify(root)});
      Bun.listen({ unix: directory.workerSocketPath(0), socket: { data() {} } });
      process.stdout.write(directory.path + "\\n");
      await Bun.stdin.text();`;
    const owner = Bun.spawn([process.execPath, "-e", program], { stdin: "pipe", stdout: "pipe" });
    const { value } = await owner.stdout.getReader().read();
    return { owner, path: new TextDecoder().decode(value).trim() };
  }

  test("a killed owner's is removed, that of one who lives is kept", async () => {
    const root = mkdtempSync(join(socketsRoot, "left-"));
    const dead = await startOwner(root);
    const alive = await startOwner(root);
    dead.owner.kill("SIGKILL");
    await dead.owner.exited;
    expect(existsSync(dead.path)).toBe(true);
    const directory = await SocketDirectory.create(root);
    expect([dead.path, alive.path, directory.path].map((path) => existsSync(path))).toEqual([
      false,
      true,
      true,
    ]);
    alive.owner.kill("SIGKILL");
    await alive.owner.exited;
    directory.remove();
    (await SocketDirectory.create(root)).remove();
    expect(readdirSync(root)).toEqual([]);
    rmSync(root, { recursive: true });
  });

  test("what is not quite such a directory is left alone", async () => {
    const root = mkdtempSync(join(socketsRoot, "left-"));
    const dead = await startOwner(root);
    dead.owner.kill("SIGKILL");
    await dead.owner.exited;
    // Somebody's file beside the sockets, an empty directory, another name, a link to a directory.
    writeFileSync(join(dead.path, "notes.txt"), "");
    mkdirSync(join(root, "session-server-abcdef"));
    mkdirSync(join(root, "session-server-bench-abcdef"));
    symlinkSync(dead.path, join(root, "session-server-ABCDEF"));
    const before = readdirSync(root, { recursive: true }).sort();
    (await SocketDirectory.create(root)).remove();
    expect(readdirSync(root, { recursive: true }).sort()).toEqual(before);
    rmSync(root, { recursive: true });
  });
});
