/** The router in this process, in front of workers that are processes. */
import { describe, expect, test } from "bun:test";
import { SocketDirectory } from "../../src/lifecycle/socket-directory.ts";
import { channelLossMs } from "../../src/limits.ts";
import { configureLog } from "../../src/log.ts";
import { runRouter } from "../../src/router/main.ts";
import { createSharding } from "../../src/sharding.ts";
import { fixtureConfig, sleepAt } from "../fixtures-lifecycle/fixture-server.ts";
import { startFixtureWorker } from "../fixtures-lifecycle/fixture-worker.ts";

configureLog("test", "silent");

const sharding = await createSharding(2);
const sessionOf = (workerIndex: number) => {
  for (let index = 0; ; index++) {
    if (sharding.ownerOf(`session-${index}`) === workerIndex) return `session-${index}`;
  }
};

async function startRouter() {
  const sockets = await SocketDirectory.create();
  const paths = [sockets.workerSocketPath(0), sockets.workerSocketPath(1)];
  const workers = await Promise.all(paths.map((path) => startFixtureWorker(path)));
  const router = await runRouter({
    role: "router",
    name: "router",
    parentPid: process.pid,
    config: fixtureConfig,
    workerSocketPaths: paths,
    recordsPorts: null,
  });
  return {
    router,
    workers,
    async [Symbol.asyncDispose]() {
      await router.stop(100);
      for (const worker of workers) worker.kill("SIGKILL");
      await Promise.all(workers.map((worker) => worker.exited));
      sockets.remove();
    },
  };
}

describe("runRouter", () => {
  test("sends each session to the process that owns it", async () => {
    await using served = await startRouter();
    const pids = await Promise.all(
      [0, 1, 0, 1].map(async (workerIndex) => {
        const reply = await fetch(`${served.router.url}/sessions/${sessionOf(workerIndex)}`);
        return ((await reply.json()) as { pid: number }).pid;
      }),
    );
    const [first, second] = served.workers.map((worker) => worker.pid);
    expect(pids as unknown[]).toEqual([first, second, first, second]);
  });

  test("a dead worker: 503 for its sessions and for health, the rest is served", async () => {
    await using served = await startRouter();
    const url = (workerIndex: number) => `${served.router.url}/sessions/${sessionOf(workerIndex)}`;
    const waiting = fetch(`${url(0)}/sleep/60000`);
    expect((await fetch(`${served.router.url}/health`)).status).toBe(200);
    served.workers[0]?.kill("SIGKILL");
    const killedAt = performance.now();
    const reply = await waiting;
    expect(reply.status).toBe(503);
    expect(await reply.text()).toStartWith(
      '{"error":"session worker 0 is unavailable: the channel is closed',
    );
    expect((await fetch(url(0))).status).toBe(503);
    expect((await fetch(url(1))).status).toBe(200);
    expect((await fetch(`${served.router.url}/health`)).status).toBe(503);
    // Nobody tore the server down: the router itself gives up, after channelLossMs.
    expect((await served.router.failed)?.message).toStartWith("lost worker 0: the channel is");
    expect(performance.now() - killedAt).toBeGreaterThan(channelLossMs - 5);
  });

  test("a worker that dies under a stream breaks the client's connection off", async () => {
    await using served = await startRouter();
    const reply = await fetch(`${served.router.url}/sessions/${sessionOf(1)}/stream/2000000000`);
    const reader = (reply.body as ReadableStream<Uint8Array>).getReader();
    await reader.read();
    served.workers[1]?.kill("SIGKILL");
    const readToTheEnd = async () => {
      while (!(await reader.read()).done);
    };
    await expect(readToTheEnd()).rejects.toThrow();
  });

  test("a handler that raises is answered 502", async () => {
    await using served = await startRouter();
    const reply = await fetch(`${served.router.url}/sessions/${sessionOf(0)}/raise/it`);
    expect(reply.status).toBe(502);
    expect(await reply.json()).toEqual({ error: "session worker 0 failed: raised it" });
  });

  test("a client that leaves does not end its operation, and lets a stream go", async () => {
    await using served = await startRouter();
    const session = `${served.router.url}/sessions/${sessionOf(0)}`;
    const leaving = new AbortController();
    const slept = fetch(`${session}/sleep-until-woken`, { signal: leaving.signal });
    let state = { asleep: 0, slept: 0, released: 0 };
    const look = async () => {
      state = (await (await fetch(`${session}/state`)).json()) as typeof state;
    };
    while (state.asleep === 0) await look();
    const streamed = await fetch(`${session}/stream/2000000000`, { signal: leaving.signal });
    await streamed.body?.getReader().read();
    leaving.abort();
    await expect(slept).rejects.toThrow();
    await fetch(`${session}/wake`);
    while (state.slept === 0 || state.released === 0) await look();
    expect(state).toEqual({ asleep: 1, slept: 1, released: 1 });
  });

  test("stops by finishing what is under way", async () => {
    await using served = await startRouter();
    const session = `${served.router.url}/sessions/${sessionOf(0)}`;
    const { reply } = await sleepAt(session, 200);
    await served.router.stop(10_000);
    expect((await reply).status).toBe(200);
    await expect(fetch(`${session}/state`)).rejects.toThrow();
  });

  test("rejects when a worker is not there", async () => {
    const started = runRouter({
      role: "router",
      name: "router",
      parentPid: process.pid,
      config: fixtureConfig,
      workerSocketPaths: ["/tmp/session-server-nobody.sock"],
      recordsPorts: null,
    });
    await expect(started).rejects.toMatchObject({ code: "ENOENT" });
  });
});
