/**
 * The program as a user meets it: real processes, real signals, exit codes.
 */
import { beforeAll, describe, expect, test } from "bun:test";
import { executable } from "./harness/executable.ts";
import {
  childrenOf,
  commandLine,
  isAlive,
  type Program,
  programWords,
  runToEnd,
  startServer,
} from "./harness/server-process.ts";

const startMs = 60_000;

beforeAll(async () => {
  await executable();
}, startMs);

/** The URL of the line with which a server says that it listens. */
async function firstLine(stdout: ReadableStream<Uint8Array>): Promise<string> {
  let text = "";
  for await (const chunk of stdout) {
    text += Buffer.from(chunk).toString();
    if (text.includes("\n")) break;
  }
  return text.trim().replace("listening on ", "");
}

async function runOneTurn(url: string): Promise<void> {
  const created = await fetch(`${url}/sessions`, { method: "POST" });
  const { session_id } = (await created.json()) as { session_id: string };
  const chat = await fetch(`${url}/sessions/${session_id}/v1/chat/completions`, {
    method: "POST",
    body: JSON.stringify({ messages: [{ role: "user", content: "hello" }] }),
  });
  const reply = await chat.text();
  expect([chat.status, reply]).toEqual([200, expect.stringContaining('"chat.completion"')]);
  const dump = await fetch(`${url}/sessions/${session_id}`);
  const { records } = (await dump.json()) as { records: unknown[] };
  expect(records).toHaveLength(1);
}

const programs: readonly Program[] = ["source", "executable"];

describe.each(programs)("session-server (%s)", (program) => {
  test.each([1, 3])(
    "serves with %d workers out of the box and leaves nothing behind",
    async (workers) => {
      const server = await startServer(["--port", "0", "--workers", String(workers)], { program });
      const children = childrenOf(server.pid);
      await runOneTurn(server.url);
      const names = children.map(commandLine).sort();
      expect(names.filter((name) => name.startsWith("session-server mock engine"))).toHaveLength(1);
      if (workers > 1) {
        for (const name of ["router", "worker 1/3", "worker 2/3", "worker 3/3"]) {
          expect(names.filter((line) => line.startsWith(`session-server ${name}`))).toHaveLength(1);
        }
      }
      expect(await server.stop()).toBe(0);
      expect(children.filter(isAlive)).toEqual([]);
      expect(server.log()).toContain("built-in mock engine");
      expect(server.log()).toContain("bundled demo tokenizer");
    },
    startMs,
  );

  test.each(["SIGINT", "SIGHUP"] as const)(
    "%s stops it like SIGTERM",
    async (signal) => {
      const server = await startServer(["--port", "0", "--workers", "2"], { program });
      const children = childrenOf(server.pid);
      expect(await server.stop(signal)).toBe(0);
      expect(children.filter(isAlive)).toEqual([]);
    },
    startMs,
  );

  test(
    "ends with code 70 and names the child when a worker dies",
    async () => {
      const server = await startServer(["--port", "0", "--workers", "2"], { program });
      const children = childrenOf(server.pid);
      const worker = children.find((pid) => commandLine(pid).includes("worker 2/2"));
      process.kill(worker ?? 0, "SIGKILL");
      expect(await server.exited).toBe(70);
      expect(children.filter(isAlive)).toEqual([]);
      expect(server.log()).toMatch(/ERROR session-server: .*worker 2\/2.*SIGKILL/);
    },
    startMs,
  );

  test.each([1, 2])(
    "cannot start on the port of another server, with %d workers",
    async (workers) => {
      const server = await startServer(["--port", "0"], { program });
      const words = ["--port", new URL(server.url).port, "--workers", String(workers)];
      const run = await runToEnd(words, { program });
      expect([run.exitCode, run.stdout]).toEqual([1, ""]);
      expect(await server.stop()).toBe(0);
    },
    startMs,
  );

  test(
    "serves on when nobody reads its log any more, or the disk is full",
    async () => {
      const [runtime = "", ...words] = [...programWords(program), "--port", "0"];
      const shell = `exec "$0" "$@" 2>/dev/full`;
      const child = Bun.spawn(["sh", "-c", shell, runtime, ...words], { stdout: "pipe" });
      const url = await firstLine(child.stdout);
      const bad = await fetch(`${url}/sessions/none/v1/chat/completions`, { method: "POST" });
      expect(bad.status).toBe(404);
      await runOneTurn(url);
      child.kill("SIGTERM");
      expect(await child.exited).toBe(0);
    },
    startMs,
  );

  test(
    "survives a hangup under nohup",
    async () => {
      const [runtime = "", ...words] = [...programWords(program), "--port", "0"];
      const shell = `trap "" HUP; exec "$0" "$@"`;
      const child = Bun.spawn(["sh", "-c", shell, runtime, ...words], {
        stdout: "pipe",
        stderr: "ignore",
      });
      const url = await firstLine(child.stdout);
      child.kill("SIGHUP");
      await runOneTurn(url);
      child.kill("SIGTERM");
      expect(await child.exited).toBe(0);
    },
    startMs,
  );

  test(
    "leaves no process behind when it is killed itself",
    async () => {
      const server = await startServer(["--port", "0", "--workers", "2"], { program });
      const children = childrenOf(server.pid);
      expect(children).toHaveLength(4);
      await server.stop("SIGKILL");
      // There is no event for the end of another's child: look until it is so.
      while (children.some(isAlive)) await Bun.sleep(1);
    },
    startMs,
  );

  test("answers --help and --version", async () => {
    const help = await runToEnd(["--help"], { program });
    expect([help.exitCode, help.stderr]).toEqual([0, ""]);
    expect(help.stdout).toContain("--workers");
    expect(help.stdout).not.toContain("\x1b");
    expect(await runToEnd(["--version"], { program })).toMatchObject({
      exitCode: 0,
      stdout: "0.1.0\n",
    });
  });

  test("refuses wrong values with one line and code 2", async () => {
    const run = await runToEnd(["--workers", "none"], { program });
    expect(run).toEqual({
      exitCode: 2,
      stdout: "",
      stderr: 'session-server: --workers "none"; expected a whole number from 1 to 1024\n',
    });
  });

  test.each([1, 2])(
    "cannot start on a taken port with %d workers: code 1, and why",
    async (workers) => {
      const taken = Bun.listen({ hostname: "127.0.0.1", port: 0, socket: { data() {} } });
      try {
        const words = ["--port", String(taken.port), "--workers", String(workers)];
        const run = await runToEnd(words, { program });
        expect([run.exitCode, run.stdout]).toEqual([1, ""]);
        expect(run.stderr).toContain(String(taken.port));
      } finally {
        taken.stop(true);
      }
    },
    startMs,
  );
});
