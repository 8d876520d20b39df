/** Real processes from start to end. What is served is the fixture; conformance is elsewhere. */
import { describe, expect, test } from "bun:test";
import { existsSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { mockBackend, type ServerConfig } from "../../src/config.ts";
import { StoppedError } from "../../src/lifecycle/child-group.ts";
import type { SessionServerSupervisor } from "../../src/lifecycle/session-server-supervisor.ts";
import { createSharding } from "../../src/sharding.ts";
import {
  allGone,
  fixtureServer,
  isRunning,
  makeBusy,
  sleepAt,
} from "../fixtures-lifecycle/fixture-server.ts";

const sharding = await createSharding(2);
const sessionOf = (workerIndex: number) => {
  for (let index = 0; ; index++) {
    if (sharding.ownerOf(`session-${index}`) === workerIndex) return `session-${index}`;
  }
};

const pids = (server: SessionServerSupervisor) => server.children.map((child) => child.pid);
const running = (server: SessionServerSupervisor) => pids(server).filter(isRunning);

function pidOf(server: SessionServerSupervisor, name: string): number {
  const child = server.children.find((each) => each.name === name);
  if (child === undefined) throw new Error(`no child is called ${name}`);
  return child.pid;
}

/** The directory of the sockets, as a worker's environment names it. */
function socketDirectoryOf(pid: number): string {
  const environment = readFileSync(`/proc/${pid}/environ`, "utf8").split("\0");
  const variable = environment.find((line) => line.startsWith("SESSION_SERVER_CHILD=")) ?? "";
  return dirname(JSON.parse(variable.slice(variable.indexOf("=") + 1)).socketPath);
}

async function withServer(
  server: SessionServerSupervisor,
  use: (url: string) => Promise<void>,
): Promise<void> {
  const { url } = await server.start();
  try {
    await use(url);
  } finally {
    await server.shutdown();
  }
  expect(running(server)).toEqual([]);
}

describe("start", () => {
  test("several workers: they and a router, answering together", async () => {
    const server = fixtureServer({ workers: 3 });
    await withServer(server, async (url) => {
      expect(server.children.map((child) => child.name)).toEqual([
        "worker 1/3",
        "worker 2/3",
        "worker 3/3",
        "router",
      ]);
      server.check();
      expect((await fetch(`${url}/health`)).status).toBe(200);
      expect((await fetch(`${url}/sessions`, { method: "POST" })).status).toBe(200);
    });
  });

  test("one worker: a single process", async () => {
    const server = fixtureServer({ workers: 1 });
    await withServer(server, async (url) => {
      expect(server.children.map((child) => child.name)).toEqual(["server"]);
      expect(await (await fetch(url)).json()).toMatchObject({ role: "single" });
    });
  });

  test("the mock backend: an engine first, whose address all others get", async () => {
    const server = fixtureServer({ workers: 1, backendUrl: mockBackend });
    await withServer(server, async (url) => {
      expect(server.children.map((child) => child.name)).toEqual(["mock engine", "server"]);
      const { backendUrl } = (await (await fetch(url)).json()) as { backendUrl: string };
      expect(await (await fetch(backendUrl)).json()).toMatchObject({ role: "mock-engine" });
    });
  });

  test("sockets are in a private directory that goes with the server", async () => {
    const server = fixtureServer();
    let directory = "";
    await withServer(server, async () => {
      directory = socketDirectoryOf(pidOf(server, "worker 1/2"));
      expect(statSync(directory).mode & 0o777).toBe(0o700);
      expect(readdirSync(directory).toSorted()).toEqual([
        "owner.sock",
        "worker-0.sock",
        "worker-1.sock",
      ]);
    });
    expect(existsSync(directory)).toBe(false);
  });

  const faults = {
    "worker 2/2: throws at start": /^worker 2\/2: no such checkpoint$/,
    "worker 2/2: takes no such checkpoint":
      /^hfCheckpoint ".*checkpoint": no tokenizer; expected y$/,
    "worker 1/2: exits at start": /^worker 1\/2 .* exit code 7 .*last words: first \| second$/,
    "router: throws at start": /^router: no such checkpoint$/,
  };
  for (const [fault, message] of Object.entries(faults)) {
    test(`rejects when ${fault.replace(":", "")}, with one line that says so`, async () => {
      const server = fixtureServer();
      // Children inherit the environment, which is where the fixture's roles read their fault.
      process.env["FIXTURE_FAULT"] = fault;
      const outcome = await server.start().catch((error: Error) => error);
      delete process.env["FIXTURE_FAULT"];
      expect(outcome).toBeInstanceOf(Error);
      expect((outcome as Error).message).toMatch(message);
      expect(running(server)).toEqual([]);
      expect(() => server.check()).toThrow(message);
    });
  }

  test("rejects before anything is started where nobody can listen", async () => {
    using taken = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: () => new Response() });
    for (const workers of [1, 2]) {
      const server = fixtureServer({ workers, port: taken.port ?? 0 });
      await expect(server.start()).rejects.toThrow(`port ${taken.port} is in use`);
      expect(server.children).toEqual([]);
      await server.shutdown();
    }
  });

  test("needs a configuration that serverConfig() accepts", () => {
    expect(() => fixtureServer({ workers: 0 })).toThrow("workers 0; expected a whole number");
    const misspelt = { worker: 2 } as Partial<ServerConfig>;
    expect(() => fixtureServer(misspelt)).toThrow("worker is unknown; did you mean workers?");
  });

  test("can be done once", async () => {
    const server = fixtureServer({ workers: 1 });
    await withServer(server, async () => {
      await expect(server.start()).rejects.toThrow("started once");
    });
  });
});

describe("a child dies", () => {
  for (const name of ["worker 1/2", "worker 2/2", "router"]) {
    test(`${name}: the server is torn down, and check() names it from then on`, async () => {
      const server = fixtureServer();
      await server.start();
      const directory = socketDirectoryOf(pidOf(server, "worker 1/2"));
      process.kill(pidOf(server, name), "SIGKILL");
      const cause = await server.failed;
      expect(cause.message).toContain(`${name} (pid ${pidOf(server, name)})`);
      expect(cause.message).toContain("was killed by SIGKILL");
      expect(() => server.check()).toThrow(cause);
      await server.shutdown();
      expect(running(server)).toEqual([]);
      expect(existsSync(directory)).toBe(false);
      expect(() => server.check()).toThrow(cause);
    });
  }

  test("in a busy loop: it is noticed, and a waiting client gets 503", async () => {
    const server = fixtureServer();
    const { url } = await server.start();
    const session = `${url}/sessions/${sessionOf(0)}`;
    const { reply } = await makeBusy(session);
    process.kill(pidOf(server, "worker 1/2"), "SIGKILL");
    expect((await reply).status).toBe(503);
    expect((await server.failed).message).toStartWith("worker 1/2 ");
    await server.shutdown();
    expect(running(server)).toEqual([]);
  });

  test("by its own doing: exit code and last words are told", async () => {
    const server = fixtureServer();
    const { url } = await server.start();
    const asked = fetch(`${url}/sessions/${sessionOf(1)}/exit/3`);
    expect((await server.failed).message).toMatch(
      /^worker 2\/2 \(pid \d+\) ended with exit code 3; last words: out of luck$/,
    );
    expect((await asked).status).toBe(503);
    await server.shutdown();
  });
});

describe("shutdown", () => {
  test("is idempotent, is no failure, and check() throws afterwards", async () => {
    const server = fixtureServer();
    await server.start();
    await Promise.all([server.shutdown(), server.shutdown()]);
    await server.shutdown();
    expect(running(server)).toEqual([]);
    expect(() => server.check()).toThrow(StoppedError);
  });

  // Who is last to start never gets ready: however late the test looks, the start goes on.
  for (const [childrenStarted, last] of [
    [0, "worker 1/2"],
    [2, "worker 2/2"],
    [3, "router"],
  ] as const) {
    test(`during the start, ${childrenStarted} children in, makes it reject`, async () => {
      const server = fixtureServer();
      process.env["FIXTURE_FAULT"] = `${last}: never ready`;
      const started = server.start().catch((error: unknown) => error);
      // No event tells that a child was spawned.
      while (server.children.length < childrenStarted) await Bun.sleep(0);
      delete process.env["FIXTURE_FAULT"];
      await server.shutdown();
      expect(await started).toBeInstanceOf(StoppedError);
      expect(running(server)).toEqual([]);
    });
  }

  test("of a server that was never started resolves, and it cannot be started then", async () => {
    const server = fixtureServer();
    expect(() => server.check()).toThrow("not ready");
    await server.shutdown();
    await expect(server.start()).rejects.toBeInstanceOf(StoppedError);
  });

  test("finishes replies under way", async () => {
    const server = fixtureServer();
    const { url } = await server.start();
    const { reply } = await sleepAt(`${url}/sessions/${sessionOf(0)}`, 300);
    await server.shutdown();
    expect((await reply).status).toBe(200);
  });

  test("kills what does not stop: a busy worker", async () => {
    const server = fixtureServer({}, { limits: { graceMs: 200 } });
    await withServer(server, async (url) => {
      await makeBusy(`${url}/sessions/${sessionOf(0)}`);
    });
  });
});

describe("the program that embeds the server", () => {
  async function embed(settings = {}) {
    const file = fileURLToPath(new URL("../fixtures-lifecycle/supervise.ts", import.meta.url));
    const program = Bun.spawn([process.execPath, file, JSON.stringify(settings)], {
      stdio: ["ignore", "pipe", "ignore"],
    });
    let text = "";
    for await (const chunk of program.stdout) {
      text += new TextDecoder().decode(chunk);
      if (text.endsWith("\n")) break;
    }
    const { url, children } = JSON.parse(text) as {
      url: string;
      children: { name: string; pid: number }[];
    };
    const directory = socketDirectoryOf(children[0]?.pid ?? 0);
    const childPids = children.map(({ pid }) => pid);
    return {
      program,
      url,
      childPids,
      // Nobody was left to remove it, but for the next server that starts on this machine.
      [Symbol.dispose]: () => rmSync(directory, { recursive: true, force: true }),
    };
  }

  test("is killed while a worker is busy: no process outlives it", async () => {
    using embedding = await embed();
    const { program, url, childPids } = embedding;
    await makeBusy(`${url}/sessions/${sessionOf(0)}`);
    expect(childPids.every(isRunning)).toBe(true);
    program.kill("SIGKILL");
    await program.exited;
    await allGone(childPids);
  });

  test("ends without shutting the server down: no process outlives it", async () => {
    using embedding = await embed();
    const { program, childPids } = embedding;
    program.kill("SIGTERM");
    await program.exited;
    await allGone(childPids);
  });
});
