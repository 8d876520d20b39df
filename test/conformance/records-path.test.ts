/**
 * GET /sessions/{id} at sizes where it could hurt: more bytes than one buffer can hold, clients that
 * stall or leave, a worker that dies.
 */
import { afterAll, afterEach, beforeAll, describe, expect, test } from "bun:test";
import type { Socket } from "bun";
import { checkpointDirectory } from "../fixtures/checkpoints.ts";
import { groupMemory } from "../harness/memory.ts";
import { type ScriptedBackend, startScriptedBackend } from "../harness/scripted-backend.ts";
import {
  childrenOf,
  commandLine,
  type ServerProcess,
  startServer,
} from "../harness/server-process.ts";
import { hangMs } from "../harness/time-limit.ts";
import { chatReply } from "./session-api.cases.ts";

const mebibyte = 1 << 20;
const gibibyte = 1 << 30;

let backend: ScriptedBackend;
let server: ServerProcess;
const sockets: Socket[] = [];

beforeAll(() => {
  backend = startScriptedBackend();
});

afterAll(() => backend.stop());

afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.terminate();
  await server.stop();
});

async function start(workers: number, words: readonly string[] = []): Promise<void> {
  server = await startServer([
    ...["--port", "0", "--workers", String(workers), "--backend-url", backend.url],
    ...["--hf-checkpoint", checkpointDirectory("qwen3"), "--log-level", "error"],
    ...words,
  ]);
}

/** A session of `turns` turns that all carry the same payload. */
async function createSession(turns: number, payloadBytes: number): Promise<string> {
  const created = await fetch(`${server.url}/sessions`, { method: "POST" });
  const { session_id } = (await created.json()) as { session_id: string };
  const reply = chatReply("x", { routedExperts: "A".repeat(payloadBytes) });
  const messages = [{ role: "user", content: "a" }];
  for (let turn = 0; turn < turns; turn++) {
    backend.reply(session_id, reply);
    expect(await chat(session_id, messages)).toBe(200);
    messages.push({ role: "assistant", content: "x" }, { role: "user", content: "b" });
  }
  return session_id;
}

async function chat(sessionId: string, messages: unknown): Promise<number> {
  const response = await fetch(`${server.url}/sessions/${sessionId}/v1/chat/completions`, {
    method: "POST",
    body: JSON.stringify({ messages }),
  });
  await response.text();
  return response.status;
}

/** Asks for a dump and takes nothing of it once the first bytes are there. */
async function stalledDump(sessionId: string): Promise<Socket> {
  const { hostname, port } = new URL(server.url);
  const begun = Promise.withResolvers<void>();
  const socket = await Bun.connect({
    hostname,
    port: Number(port),
    socket: {
      data(open) {
        open.pause();
        begun.resolve();
      },
    },
  });
  sockets.push(socket);
  socket.write(`GET /sessions/${sessionId} HTTP/1.1\r\nHost: h\r\n\r\n`);
  await begun.promise;
  return socket;
}

describe.each([1, 2])("the records of a session, %d worker(s)", (workers) => {
  test(
    "more than 4 GiB come out of little memory",
    async () => {
      await start(workers);
      const payloadBytes = 160 * mebibyte;
      const turns = 27;
      const session = await createSession(turns, payloadBytes);
      const before = groupMemory(server.pid);
      const dump = await fetch(`${server.url}/sessions/${session}`);
      let bytes = 0;
      let sampledAt = 0;
      let peak = before;
      let tail = "";
      for await (const chunk of dump.body ?? []) {
        bytes += chunk.length;
        if (bytes - sampledAt > 64 * mebibyte) {
          peak = Math.max(peak, groupMemory(server.pid));
          sampledAt = bytes;
        }
        tail = (tail + Buffer.from(chunk.subarray(-64)).toString()).slice(-64);
      }
      expect(bytes).toBeGreaterThan(4 * gibibyte);
      expect(bytes).toBeGreaterThan(turns * payloadBytes);
      expect(tail).toEndWith('"max_trim_tokens":0}}');
      expect(peak - before).toBeLessThan(128 * mebibyte);
      expect(peak).toBeLessThan(1.3 * gibibyte);
    },
    hangMs,
  );

  test(
    "clients that stall cost no memory and block nobody; deletion frees the records",
    async () => {
      await start(workers);
      const session = await createSession(10, 100 * mebibyte);
      const before = groupMemory(server.pid);
      for (let client = 0; client < 8; client++) await stalledDump(session);
      const other = await createSession(20, 1000);
      expect(await chat(other, [{ role: "user", content: "wrong" }])).toBe(400);
      expect(groupMemory(server.pid) - before).toBeLessThan(96 * mebibyte);
      for (const socket of sockets.splice(0)) socket.terminate();
      const deleted = await fetch(`${server.url}/sessions/${session}`, { method: "DELETE" });
      expect(deleted.status).toBe(204);
      // The memory is given back when the dumps have noticed that their readers are gone.
      while (before - groupMemory(server.pid) < 80 * mebibyte) await Bun.sleep(5);
    },
    hangMs,
  );
});

test(
  "a worker that dies in the middle makes the transfer fail, never end as if complete",
  async () => {
    await start(2);
    const session = await createSession(10, 100 * mebibyte);
    const dump = await fetch(`${server.url}/sessions/${session}`);
    const reader = dump.body?.getReader();
    await reader?.read();
    for (const pid of childrenOf(server.pid)) {
      if (commandLine(pid).includes("worker")) process.kill(pid, "SIGKILL");
    }
    const readToEnd = async (): Promise<string> => {
      for (;;) {
        const next = await reader?.read();
        if (next === undefined || next.done) return "complete";
      }
    };
    await expect(readToEnd()).rejects.toThrow();
    expect(await server.exited).toBe(70);
  },
  hangMs,
);

test(
  "--records-path redirect sends the client to the owner, which gives out records and nothing else",
  async () => {
    await start(3, ["--records-path", "redirect"]);
    const session = await createSession(3, 3 * mebibyte);
    const path = `${server.url}/sessions/${session}`;
    const redirected = await fetch(path, { redirect: "manual" });
    expect(redirected.status).toBe(307);
    const location = new URL(redirected.headers.get("location") ?? "");
    expect(location.hostname).toBe("127.0.0.1");
    expect(location.port).not.toBe(new URL(server.url).port);
    const direct = (await (await fetch(location)).json()) as { records: unknown[] };
    const followed = (await (await fetch(path)).json()) as { records: unknown[] };
    expect(direct.records).toHaveLength(3);
    expect(followed).toEqual(direct);
    for (const [method, below] of [
      ["POST", "/v1/chat/completions"],
      ["GET", "/v1/models"],
      ["DELETE", ""],
    ] as const) {
      expect((await fetch(`${location}${below}`, { method })).status).toBe(404);
    }
    expect((await fetch(path, { method: "DELETE" })).status).toBe(204);
    expect((await fetch(location)).status).toBe(404);
  },
  hangMs,
);

test(
  "--records-path redirect lets a client that has a token in, though it drops it on the way",
  async () => {
    await start(2, ["--records-path", "redirect", "--auth-token", "secret"]);
    const authorization = { authorization: "Bearer secret" };
    const created = await fetch(`${server.url}/sessions`, {
      method: "POST",
      headers: authorization,
    });
    const { session_id } = (await created.json()) as { session_id: string };
    const path = `${server.url}/sessions/${session_id}`;
    expect((await fetch(path)).status).toBe(401);
    const redirected = await fetch(path, { headers: authorization, redirect: "manual" });
    expect(redirected.status).toBe(307);
    const location = new URL(redirected.headers.get("location") ?? "");
    const records = await fetch(location);
    expect(records.status).toBe(200);
    expect(await records.json()).toMatchObject({ session_id, records: [] });
    location.search = "";
    expect((await fetch(location)).status).toBe(401);
    const followed = await fetch(path, { headers: authorization });
    expect(followed.status).toBe(200);
  },
  hangMs,
);
