/**
 * The log of a real server: one line a request at debug, one a failure at warn, and no flood.
 */
import { expect, test } from "bun:test";
import { checkpointDirectory } from "../fixtures/checkpoints.ts";
import { refusingUrl } from "../harness/machine.ts";
import { startServer } from "../harness/server-process.ts";
import { hangMs } from "../harness/time-limit.ts";
import { Session } from "./session.ts";

interface Entry {
  readonly level: string;
  readonly process: string;
  readonly message: string;
  readonly session?: string;
  readonly status?: number;
  readonly heldBack?: number;
}

function entriesOf(log: string): Entry[] {
  const lines = log.split("\n").filter((line) => line !== "");
  return lines.map((line) => JSON.parse(line) as Entry);
}

test.each([1, 2])(
  "%d workers: each request is one line of JSON at debug, whoever answered it",
  async (workers) => {
    const words = ["--port", "0", "--workers", String(workers)];
    const server = await startServer([...words, "--log-level", "debug", "--log-format", "json"]);
    const session = await Session.create(server.url);
    await session.chat("a");
    await session.dump();
    await fetch(`${server.url}/nothing`);
    await session.send("GET", "a%5cb");
    await fetch(session.url, { method: "DELETE" });
    await session.chat("b");
    expect(await server.stop()).toBe(0);
    const entries = entriesOf(server.log());
    const ofSession = entries.filter((entry) => entry.session === session.id);
    expect(ofSession.map(({ level, message, status }) => [level, message, status])).toEqual([
      ["debug", "create_session", 200],
      ["debug", "chat_completions", 200],
      ["debug", "get_session", 200],
      ["debug", "delete_session", 204],
      ["warn", "chat_completions failed", 404],
    ]);
    const front = entries.filter(({ message }) => /answered without|was refused/.test(message));
    expect(front.map(({ status }) => status)).toEqual([404, 400]);
    const owner = new Set(ofSession.map((entry) => entry.process));
    expect(owner.size).toBe(1);
    expect([...owner][0]).toMatch(workers === 1 ? /^session-server$/ : /^worker [12]\/2$/);
  },
  hangMs,
);

test(
  "a backend that is gone, 1,000 sessions: each failure is told or counted, in a few lines",
  async () => {
    const workers = 2;
    const server = await startServer([
      ...["--port", "0", "--workers", String(workers), "--backend-url", refusingUrl],
      ...["--hf-checkpoint", checkpointDirectory("qwen3"), "--log-format", "json"],
    ]);
    const startMs = performance.now();
    const sessions = 1_000;
    const statuses = await Promise.all(
      Array.from({ length: sessions }, async () => {
        const session = await Session.create(server.url);
        return (await session.chat("a")).status;
      }),
    );
    expect(new Set(statuses)).toEqual(new Set([502]));
    // The count of those that were held back is written a second later at the latest.
    const told = () => {
      const entries = entriesOf(server.log()).filter(({ level }) => level === "warn");
      const lines = entries.filter(({ status }) => status === 502).length;
      const heldBack = entries.reduce((sum, entry) => sum + (entry.heldBack ?? 0), 0);
      return { lines, all: lines + heldBack };
    };
    while (told().all < sessions) await Bun.sleep(10);
    expect(told().all).toBe(sessions);
    const seconds = (performance.now() - startMs) / 1000;
    expect(told().lines).toBeLessThan(workers * 20 * (seconds + 2));
    expect(await server.stop()).toBe(0);
  },
  hangMs,
);
