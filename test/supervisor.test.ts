/**
 * The program as a user meets it: real processes, real signals, exit codes.
 */
import { beforeAll, describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
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
import { hangMs } from "./harness/time-limit.ts";

beforeAll(async () => {
  await executable();
}, hangMs);

/** The URL of the line with which a server says that it listens. */
async function firstLine(stdout: ReadableStream<Uint8Array>): Promise<string> {
  let text = "";
  for await (const chunk of stdout) {
    text += Buffer.from(chunk).toString();
    if (text.includes("\n")) break;
  }
  return text.trim().replace("listening on ", "");
}

async function freePort(): Promise<number> {
  const server = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: () => new Response() });
  const { port = 0 } = server;
  await server.stop(true);
  return port;
}

async function isAnswered(url: string): Promise<boolean> {
  try {
    return (await fetch(url)).ok;
  } catch {
    return false;
  }
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
    hangMs,
  );

  test.each(["SIGINT", "SIGHUP"] as const)(
    "%s stops it like SIGTERM",
    async (signal) => {
      const server = await startServer(["--port", "0", "--workers", "2"], { program });
      const children = childrenOf(server.pid);
      expect(await server.stop(signal)).toBe(0);
      expect(children.filter(isAlive)).toEqual([]);
    },
    hangMs,
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
    hangMs,
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
    hangMs,
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
    hangMs,
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
    hangMs,
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
    hangMs,
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

  test.each([["--help"], ["--version"], ["verify"]])(
    "%s ends with its own exit code when nobody can read what it prints",
    async (word) => {
      const { exitCode } = await runToEnd([word], { program });
      const [runtime = "", ...file] = programWords(program);
      const shell = `exec "$0" "$@" >/dev/full`;
      const child = Bun.spawn(["sh", "-c", shell, runtime, ...file, word], { stderr: "pipe" });
      expect(await child.stderr.text()).not.toContain("bug");
      expect(await child.exited).toBe(exitCode);
    },
    hangMs,
  );

  test("refuses wrong values with one line and code 2", async () => {
    const run = await runToEnd(["--workers", "none"], { program });
    expect(run).toEqual({
      exitCode: 2,
      stdout: "",
      stderr: 'session-server: --workers "none"; expected a whole number from 1 to 1024\n',
    });
  });

  const expectedFaults: readonly [string, (port: number) => string[], (port: number) => string][] =
    [
      [
        "a taken port",
        (port) => ["--port", String(port)],
        (port) => `--port ${port} is in use: another program listens on it at 127.0.0.1; expected`,
      ],
    ];

  const brokenTemplate = join(import.meta.dir, "fixtures-lifecycle", "broken.jinja");

  /** Flags, and the line that they end with: some only a process that loads them can know. */
  const wrongSettings: readonly [string, string[], RegExp][] = [
    [
      "the address of another machine",
      ["--host", "203.0.113.7"],
      /^--host "203.0.113.7": it is no address of this machine \(EADDRNOTAVAIL\); expected one of /,
    ],
    [
      "a host that is none",
      ["--host", "nowhere.invalid"],
      /^--host "nowhere.invalid": it cannot be resolved.*; expected one of /,
    ],
    [
      "a checkpoint without a tokenizer",
      ["--hf-checkpoint", import.meta.dir],
      /^--hf-checkpoint ".*": .* has no tokenizer; expected a directory that holds tokenizer.json/,
    ],
    [
      "a checkpoint of another family",
      ["--tito-model", "glm47"],
      /^--tito-model "glm47" conflicts with --hf-checkpoint: .* has no token <\|user\|>/,
    ],
    [
      "a template variable that is the server's",
      ["--chat-template-kwargs", '{"tools":1}'],
      /^--chat-template-kwargs ".*": chat_template_kwargs.tools is reserved by the server; expected /,
    ],
    [
      "a template variable that the family has fixed",
      ["--chat-template-kwargs", '{"clear_thinking":true}', "--tito-model", "qwen3"],
      /^--chat-template-kwargs ".*": .* clear_thinking=True conflicts .*; expected variables that /,
    ],
    [
      "a template that is not there",
      ["--chat-template-path", "/nowhere.jinja"],
      /^--chat-template-path "\/nowhere.jinja": there is no file .*; expected a readable file/,
    ],
    [
      "a template that does not parse",
      ["--chat-template-path", brokenTemplate],
      /^--chat-template-path ".*broken.jinja": .*TemplateSyntaxError: .*line 2\); expected a Jinja /,
    ],
    [
      "a template beside a family's own",
      ["--chat-template-path", brokenTemplate, "--tito-model", "qwen3"],
      /^--chat-template-path ".*" conflicts with --tito-model "qwen3": .*; expected no template/,
    ],
  ];

  describe.each([1, 2])("with %d workers", (workers) => {
    test.each(expectedFaults)(
      "cannot start on %s: code 1, and one line says so",
      async (_what, words, message) => {
        using taken = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: () => new Response() });
        const { port = 0 } = taken;
        const run = await runToEnd([...words(port), "--workers", String(workers)], { program });
        expect([run.exitCode, run.stdout]).toEqual([1, ""]);
        const lines = run.stderr.trimEnd().split("\n");
        expect(lines.filter((line) => !line.includes(" WARN "))).toEqual([
          expect.stringMatching(/^\S+ ERROR session-server: cannot start: /),
        ]);
        expect(lines.at(-1)).toContain(message(port));
      },
      hangMs,
    );

    test.each(wrongSettings)(
      "refuses %s: code 2, and one line says so",
      async (_what, words, line) => {
        const flags = ["--port", "0", "--log-level", "error", "--workers", String(workers)];
        const run = await runToEnd([...flags, ...words], { program });
        expect([run.exitCode, run.stdout]).toEqual([2, ""]);
        expect(run.stderr).toStartWith("session-server: ");
        expect(run.stderr.indexOf("\n")).toBe(run.stderr.length - 1);
        expect(run.stderr.slice("session-server: ".length)).toMatch(line);
      },
      hangMs,
    );

    test(
      "goes on after it was stopped and continued",
      async () => {
        const words = ["--port", "0", "--workers", String(workers)];
        const server = await startServer(words, { program });
        // Not SIGTSTP: the kernel drops it in a group that no shell looks after, as on CI.
        process.kill(server.pid, "SIGSTOP");
        // There is no event for the stop of another's child: look until it is so.
        while (!readFileSync(`/proc/${server.pid}/stat`, "utf8").includes(") T ")) {
          await Bun.sleep(1);
        }
        process.kill(server.pid, "SIGCONT");
        await runOneTurn(server.url);
        expect(await server.stop()).toBe(0);
      },
      hangMs,
    );

    test(
      "serves without stdin, stdout and stderr",
      async () => {
        const [runtime = "", ...file] = programWords(program);
        const shell = `exec "$0" "$@" <&- >&- 2>&-`;
        const start = async () => {
          const port = await freePort();
          const words = [...file, "--port", String(port), "--workers", String(workers)];
          const child = Bun.spawn(["sh", "-c", shell, runtime, ...words]);
          return { child, url: `http://127.0.0.1:${port}` };
        };
        let { child, url } = await start();
        // Nothing is written anywhere: only an answer tells that it serves.
        for (let starts = 1; !(await isAnswered(`${url}/health`)); await Bun.sleep(5)) {
          if (child.exitCode === null) continue;
          // The port may have been taken meanwhile, but not again and again.
          expect(child.exitCode).toBe(1);
          expect(starts).toBeLessThan(3);
          starts += 1;
          ({ child, url } = await start());
        }
        await runOneTurn(url);
        child.kill("SIGTERM");
        expect(await child.exited).toBe(0);
      },
      hangMs,
    );
  });

  test(
    "tells of variables that are no settings, and starts",
    async () => {
      const environment = {
        SESSION_SERVER_WORKRES: "3",
        SESSION_SERVER_URL: "http://h:1",
        SESSION_SERVER_PORT: "tcp://10.0.171.239:30100",
      };
      const server = await startServer(["--port", "0"], { program, environment });
      expect(await server.stop()).toBe(0);
      for (const line of [
        "WARN  session-server: SESSION_SERVER_WORKRES is no setting and is ignored; " +
          "did you mean SESSION_SERVER_WORKERS?",
        "INFO  session-server: SESSION_SERVER_URL is no setting of this server: ignored",
        'INFO  session-server: SESSION_SERVER_PORT "tcp://10.0.171.239:30100" is the address of a ' +
          "Kubernetes Service: ignored",
      ]) {
        expect(server.log()).toContain(`${line}\n`);
      }
    },
    hangMs,
  );
});
