import { afterAll, describe, expect, test } from "bun:test";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { AssertionError } from "../../src/assert.ts";
import { connectUnixSocket, listenUnixSocket } from "../../src/ipc/unix-socket.ts";
import { socketPathBytesMax } from "../../src/limits.ts";
import { socketsRoot } from "../harness/machine.ts";

const directory = mkdtempSync(join(socketsRoot, "unix-socket-"));
afterAll(() => rmSync(directory, { recursive: true }));

const deaf = { received() {}, drained() {}, closed() {} };

/** A path in the directory of exactly `byteLength` bytes. */
function pathOfLength(byteLength: number): string {
  return join(directory, "x".repeat(byteLength - directory.length - 1));
}

describe("listenUnixSocket", () => {
  test("takes a path of 107 bytes and asserts against 108", () => {
    const longest = pathOfLength(socketPathBytesMax);
    const listener = listenUnixSocket(longest, () => deaf);
    expect(existsSync(longest)).toBe(true);
    listener.stop();
    expect(() => listenUnixSocket(`${longest}x`, () => deaf)).toThrow(AssertionError);
  });

  test("throws when the path is taken, and frees it when it stops", () => {
    const path = join(directory, "taken.sock");
    const listener = listenUnixSocket(path, () => deaf);
    expect(() => listenUnixSocket(path, () => deaf)).toThrow("Failed to listen");
    listener.stop();
    expect(existsSync(path)).toBe(false);
  });
});

describe("connectUnixSocket", () => {
  test("rejects with the system's error when nobody listens", async () => {
    const missing = connectUnixSocket(join(directory, "missing.sock"), () => deaf);
    await expect(missing).rejects.toMatchObject({ code: "ENOENT" });
  });

  test("resolves to the owner even when the peer closes at once", async () => {
    const path = join(directory, "closing.sock");
    const listener = listenUnixSocket(path, (stream) => {
      stream.close();
      return deaf;
    });
    const closed = Promise.withResolvers<void>();
    const owner = { ...deaf, closed: () => closed.resolve() };
    expect(await connectUnixSocket(path, () => owner)).toBe(owner);
    await closed.promise;
    listener.stop();
  });
});

test("an exception in a handler ends the process, loudly", async () => {
  const module = fileURLToPath(new URL("../../src/ipc/unix-socket.ts", import.meta.url));
  const program = `
    const { connectUnixSocket, listenUnixSocket } = await import(${JSON.stringify(module)});
    const deaf = { received() {}, drained() {}, closed() {} };
    const path = ${JSON.stringify(join(directory, "throwing.sock"))};
    listenUnixSocket(path, () => ({ ...deaf, received() { throw new Error("our own bug"); } }));
    await connectUnixSocket(path, (stream) => { stream.write(Uint8Array.of(1)); return deaf; });`;
  const child = Bun.spawn([process.execPath, "-e", program], { stderr: "pipe", stdout: "ignore" });
  expect(await child.stderr.text()).toContain("our own bug");
  expect(await child.exited).toBe(1);
});
