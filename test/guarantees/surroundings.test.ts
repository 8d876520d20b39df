/**
 * What the machine can refuse: a port, a place for sockets, open files. Said in one line, or lived
 * with.
 */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { checkpointDirectory } from "../fixtures/checkpoints.ts";
import { executable } from "../harness/executable.ts";
import { socketsRoot } from "../harness/machine.ts";
import { startRawBackend } from "../harness/raw-backend.ts";
import {
  childrenOf,
  isAlive,
  openFilesOf,
  runToEnd,
  startServer,
} from "../harness/server-process.ts";
import { hangMs } from "../harness/time-limit.ts";
import { until } from "../harness/until.ts";
import { goodReply } from "./backend-trouble.cases.ts";
import { Session } from "./session.ts";

const root = mkdtempSync(join(socketsRoot, "surroundings-"));
const aFile = join(root, "file");
writeFileSync(aFile, "");

beforeAll(async () => {
  await executable();
}, hangMs);
afterAll(() => rmSync(root, { recursive: true }));

describe("the directory of sockets", () => {
  test(
    "that a killed server left is removed by the next start; that of a live one is not",
    async () => {
      const directory = mkdtempSync(join(root, "tmp-"));
      const options = { environment: { TMPDIR: directory } };
      const words = ["--port", "0", "--workers", "2"];
      const killed = await startServer(words, options);
      const children = childrenOf(killed.pid);
      await killed.stop("SIGKILL");
      await until(() => !children.some(isAlive));
      const [left = ""] = readdirSync(directory);
      expect(left).toStartWith("session-server-");
      const first = await startServer(words, options);
      const second = await startServer(words, options);
      const there = readdirSync(directory).filter((name) => name.startsWith("session-server-"));
      expect(there).toHaveLength(2);
      expect(there).not.toContain(left);
      for (const server of [first, second]) {
        expect((await fetch(`${server.url}/health`)).status).toBe(200);
        expect(await (await Session.create(server.url)).recordCount()).toBe(0);
        expect(await server.stop()).toBe(0);
      }
      expect(readdirSync(directory).filter((name) => name.startsWith("session-server-"))).toEqual(
        [],
      );
    },
    hangMs,
  );

  // /sys takes no new directories, not even from root.
  test.each([
    ["is not there", join(root, "nothing")],
    ["is a file", aFile],
    ["is read-only", "/sys"],
  ])("cannot be made when TMPDIR %s: code 1, one line says so", async (_what, directory) => {
    const run = await runToEnd(["--port", "0", "--workers", "2"], {
      environment: { TMPDIR: directory },
    });
    expect([run.exitCode, run.stdout]).toEqual([1, ""]);
    expect(run.stderr).toMatch(
      new RegExp(
        `ERROR session-server: cannot start: no directory for sockets can be made in ${directory}, ` +
          "which TMPDIR names: E",
      ),
    );
  });

  test("is not needed by a single process, which starts without it", async () => {
    const server = await startServer(["--port", "0"], {
      environment: { TMPDIR: join(root, "nothing") },
    });
    expect((await fetch(`${server.url}/health`)).status).toBe(200);
    expect(await server.stop()).toBe(0);
  });

  test("the executable starts without TMPDIR, or says that it needs it", async () => {
    const run = await runToEnd(["--port", "0", "--host", "nowhere.invalid"], {
      program: "executable",
      environment: { TMPDIR: join(root, "nothing") },
    });
    // The host is a wrong setting, the place to unpack to is the machine's.
    expect([1, 2]).toContain(run.exitCode);
    expect(run.stdout).toBe("");
    expect(run.stderr).toMatch(/nowhere\.invalid|nothing can be unpacked into TMPDIR: ENOENT/);
  });
});

describe("open files", () => {
  const filesMax = 64;
  test.each([1, 2])(
    "too few to start %d workers: code 1, one line says so",
    async (workers) => {
      const run = await runToEnd(["--port", "0", "--workers", String(workers)], {
        openFilesMax: 12,
      });
      expect([run.exitCode, run.stdout]).toEqual([1, ""]);
      expect(run.stderr).toMatch(/ERROR session-server: cannot start: .*EMFILE/);
    },
    hangMs,
  );

  test.each([1, 2])(
    "all in use, %d workers: chats beyond get 502 and change nothing, the others go on",
    async (workers) => {
      let isOpen = Promise.resolve();
      const backend = startRawBackend(async (peer) => {
        await isOpen;
        await peer.send(
          `HTTP/1.1 200 OK\r\nContent-Length: ${goodReply.length}\r\n\r\n${goodReply}`,
        );
        peer.finish();
      });
      const server = await startServer(
        [
          ...["--port", "0", "--workers", String(workers), "--backend-url", backend.url],
          ...["--hf-checkpoint", checkpointDirectory("qwen3")],
        ],
        { openFilesMax: filesMax },
      );
      expect(server.log()).toContain(`ulimit -n is ${filesMax}`);
      const session = await Session.create(server.url);
      // Bun takes what it needs for its first fetch once, and ends the process if it cannot.
      expect((await session.chat("a")).status).toBe(200);
      const opened = Promise.withResolvers<void>();
      isOpen = opened.promise;
      const refused: string[] = [];
      const replies = Array.from({ length: 100 }, async () => {
        const reply = await session.chat("a");
        if (reply.status !== 200) refused.push(`${reply.status} ${reply.text}`);
        return reply.status;
      });
      // Each is refused, waits for the backend, or waits for its connection to be accepted.
      // How many files a process needs for itself depends on the machine.
      const processes = [server.pid, ...childrenOf(server.pid)];
      const isFull = () => processes.some((pid) => openFilesOf(pid) >= filesMax);
      await until(() => refused.length > 0 || isFull());
      opened.resolve();
      for (const status of await Promise.all(replies)) expect([200, 502]).toContain(status);
      for (const text of refused) {
        expect(text).toStartWith('502 {"error":"backend transport error: EMFILE: this server has');
      }
      expect((await session.chat("b")).status).toBe(200);
      expect(await session.recordCount()).toBe(1);
      expect(await server.stop()).toBe(0);
      backend.stop();
    },
    hangMs,
  );
});
