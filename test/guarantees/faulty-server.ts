/**
 * A real server whose processes carry the fault injector, and clients that wait for it.
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createSharding } from "../../src/sharding.ts";
import { checkpointDirectory } from "../fixtures/checkpoints.ts";
import { startRawBackend } from "../harness/raw-backend.ts";
import { childrenOf, commandLine, isAlive, startServer } from "../harness/server-process.ts";
import { until } from "../harness/until.ts";
import type { Victim } from "./death-matrix.cases.ts";
import { Session } from "./session.ts";

const gibibyte = 1024 ** 3;
const injector = join(import.meta.dir, "fault-injector.ts");

/** Something that a client waits for; never rejects. */
export interface Waiting {
  /** Resolves when the client knows, to what it knows. */
  readonly ended: Promise<number | "broken">;
}

export interface FaultyServer extends AsyncDisposable {
  readonly url: string;
  readonly pid: number;
  readonly exited: Promise<number>;
  log(): string;
  /** All processes but the program itself. */
  readonly childPids: readonly number[];
  pidOf(victim: Victim): number;
  /** One session of each shard. */
  readonly sessions: readonly Session[];
}

/** @param backendUrl null for the mock engine */
export async function startFaultyServer(options: {
  workers: number;
  fault: string;
  backendUrl?: string;
}): Promise<FaultyServer> {
  const { workers, fault } = options;
  // Bun reads it in the working directory, in each process that the server starts.
  const directory = mkdtempSync(join(tmpdir(), "faulty-"));
  writeFileSync(join(directory, "bunfig.toml"), `preload = [${JSON.stringify(injector)}]\n`);
  const backend = options.backendUrl
    ? ["--backend-url", options.backendUrl, "--hf-checkpoint", checkpointDirectory("qwen3")]
    : [];
  const server = await startServer(["--port", "0", "--workers", String(workers), ...backend], {
    environment: { INJECTED_FAULT: fault },
    workingDirectory: directory,
  });
  const childPids = childrenOf(server.pid);
  return {
    url: server.url,
    pid: server.pid,
    exited: server.exited,
    log: server.log,
    childPids,
    pidOf(victim) {
      if (victim === "supervisor" || victim === "server") return server.pid;
      // A worker is the first one, which owns shard 0.
      const name = victim === "worker" ? "worker 1/" : victim;
      const pid = childPids.find((each) => commandLine(each).includes(name));
      if (pid === undefined) throw new Error(`no process is called ${name}`);
      return pid;
    },
    sessions: await sessionOfEachShard(server.url, workers),
    async [Symbol.asyncDispose]() {
      if (isAlive(server.pid)) process.kill(server.pid, "SIGKILL");
      await server.exited;
      rmSync(directory, { recursive: true });
    },
  };
}

async function sessionOfEachShard(url: string, workers: number): Promise<Session[]> {
  const { ownerOf } = await createSharding(workers);
  const sessions: Session[] = [];
  while (Object.keys(sessions).length < workers) {
    const session = await Session.create(url);
    sessions[ownerOf(session.id)] = session;
  }
  return sessions;
}

/** A chat whose backend never answers; resolves when the backend has it. */
export function chatForever(session: Session): Waiting {
  return waitingFor(
    fetch(`${session.url}/v1/chat/completions`, {
      method: "POST",
      headers: { "x-mock-error": "silent" },
      body: '{"messages":[{"role":"user","content":"a"}]}',
    }).then(async (response) => {
      await response.arrayBuffer();
      return response.status;
    }),
  );
}

function waitingFor(work: Promise<number>): Waiting {
  return {
    ended: work.catch(() => "broken" as const),
  };
}

/** Sends a process into a loop that it never leaves; resolves when it is in it. */
export async function makeBusy(server: FaultyServer, pid: number): Promise<void> {
  process.kill(pid, "SIGUSR2");
  await until(() => server.log().includes("injected: busy"));
}

/** A client that reads the records of a session; resolves when the first bytes are there. */
export async function readDump(session: Session): Promise<Waiting> {
  const { hostname, port, pathname } = new URL(session.url);
  const first = Promise.withResolvers<void>();
  const ended = Promise.withResolvers<number>();
  let tail = "";
  await Bun.connect({
    hostname,
    port: Number(port),
    socket: {
      open: (socket) => void socket.write(`GET ${pathname} HTTP/1.1\r\nHost: h\r\n\r\n`),
      data(_, chunk) {
        first.resolve();
        tail = chunk.subarray(-8).toString("latin1");
        if (tail.endsWith("\r\n0\r\n\r\n")) ended.resolve(200);
      },
      close: () => ended.reject(new Error("broken")),
    },
  });
  await first.promise;
  return waitingFor(ended.promise);
}

/** A backend that answers one chat with a payload of 1 GiB. */
export function startGibibyteBackend() {
  const backend = startRawBackend();
  const head =
    '{"choices":[{"index":0,"message":{"role":"assistant","content":"x"},"finish_reason":"stop",' +
    '"meta_info":{"completion_tokens":1,"output_token_logprobs":[[-1,1,null]],"routed_experts":"';
  const tail = '"}}]}';
  const slice = Buffer.alloc(1024 * 1024, "A");
  backend.answer(async (connection) => {
    const byteLength = head.length + gibibyte + tail.length;
    await connection.send(`HTTP/1.1 200 OK\r\nContent-Length: ${byteLength}\r\n\r\n${head}`);
    for (let sent = 0; sent < gibibyte; sent += slice.byteLength) await connection.send(slice);
    await connection.send(tail);
    connection.finish();
  });
  return backend;
}
