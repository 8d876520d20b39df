/**
 * A server that is told to stop: by whom, how often and when.
 */
import { describe, expect, test } from "bun:test";
import { stopDrainMs, stopGraceMs } from "../../src/limits.ts";
import {
  childrenOf,
  isAlive,
  programWords,
  type ServerProcess,
  startServer,
} from "../harness/server-process.ts";
import { Stopwatch } from "../harness/stopwatch.ts";
import { hangMs } from "../harness/time-limit.ts";
import { until } from "../harness/until.ts";
import { makeBusy, startFaultyServer } from "./faulty-server.ts";
import { Session } from "./session.ts";
import { chatForever } from "./waiting-client.ts";

/** What a machine that has other work to do may add to the grace time. */
const busyMs = 10_000;

function start(workers: number, inOwnGroup = false): Promise<ServerProcess> {
  return startServer(["--port", "0", "--workers", String(workers)], { inOwnGroup });
}

/** Milliseconds until the program has ended; nothing of it may be left then. */
async function endOf(server: ServerProcess, children: readonly number[]): Promise<number> {
  using watch = new Stopwatch();
  await server.exited;
  await until(() => !children.some(isAlive));
  return watch.ms;
}

/** A chat that the backend has and will never answer. */
async function pendingChat(url: string) {
  const session = await Session.create(url);
  const waiting = chatForever(session);
  // Answered by the same process, after the chat was sent on.
  await session.dump();
  return waiting;
}

describe.each([1, 3])("%d workers", (workers) => {
  // Ctrl-C in a terminal; what service managers and batch systems send to each process of a job.
  test.each(["SIGINT", "SIGTERM", "SIGHUP"] as const)(
    "%s to all processes at once is a stop like any other",
    async (signal) => {
      const server = await start(workers, true);
      const children = childrenOf(server.pid);
      process.kill(-server.pid, signal);
      await endOf(server, children);
      expect([await server.exited, server.log()]).toEqual([
        0,
        expect.not.stringContaining("ERROR"),
      ]);
    },
    hangMs,
  );

  test(
    "a second signal ends the stop at once",
    async () => {
      const server = await start(workers);
      const children = childrenOf(server.pid);
      const waiting = await pendingChat(server.url);
      process.kill(server.pid, "SIGTERM");
      await until(() => server.log().includes("stopping"));
      process.kill(server.pid, "SIGINT");
      expect(await endOf(server, children)).toBeLessThan(stopDrainMs);
      expect(await server.exited).toBe(0);
      expect(await waiting.ended).toBe("broken");
    },
    hangMs,
  );

  test(
    "at any moment of the start: nothing is left, and it is no failure",
    async () => {
      // From a process that has not run a line yet to one whose last child starts.
      const childCount = workers === 1 ? 1 : workers + 2;
      for (let children = 0; children <= childCount; children++) {
        const child = Bun.spawn(
          [...programWords("source"), "--port", "0", "--workers", String(workers)],
          { stdin: "ignore", stdout: "pipe", stderr: "pipe" },
        );
        const seen = new Set<number>();
        while (seen.size < children) {
          for (const pid of childrenOf(child.pid)) seen.add(pid);
          await Bun.sleep(0);
        }
        const before = childrenOf(child.pid);
        child.kill("SIGTERM");
        // 143: before the program could handle signals, when it had started nothing.
        expect([0, 143]).toContain(await child.exited);
        await until(() => ![...seen, ...before].some(isAlive));
        expect(await new Response(child.stderr).text()).not.toContain("ERROR");
      }
    },
    hangMs,
  );
});

// Side by side: each waits for the grace time to pass.
describe.concurrent("the grace time", () => {
  for (const workers of [1, 3]) {
    test(
      `a chat that never ends does not hold the stop up, ${workers} workers`,
      async () => {
        const server = await start(workers);
        const children = childrenOf(server.pid);
        const waiting = await pendingChat(server.url);
        process.kill(server.pid, "SIGTERM");
        expect(await endOf(server, children)).toBeLessThan(stopGraceMs + busyMs);
        expect(await server.exited).toBe(0);
        expect(await waiting.ended).toBe("broken");
      },
      hangMs,
    );
  }

  test(
    "a busy worker is killed when it is over, and that is no failure",
    async () => {
      await using server = await startFaultyServer({ workers: 2 });
      await makeBusy(server, server.pidOf("worker"));
      using watch = new Stopwatch();
      process.kill(server.pid, "SIGTERM");
      expect(await server.ended).toBe(0);
      expect(watch.ms).toBeLessThan(stopGraceMs + busyMs);
      expect(server.hasProcesses()).toBe(false);
    },
    hangMs,
  );
});
