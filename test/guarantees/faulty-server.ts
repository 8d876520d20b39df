/**
 * A real server whose processes carry the fault injector.
 *
 * Contract   nothing is wrong with it until `inject`. The executable carries no injector: only
 *            signals from outside reach it.
 */
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { childParametersVariable } from "../../src/lifecycle/child-contract.ts";
import { createSharding } from "../../src/sharding.ts";
import { checkpointDirectory } from "../fixtures/checkpoints.ts";
import {
  childrenOf,
  commandLine,
  isAlive,
  type Program,
  startServer,
} from "../harness/server-process.ts";
import { until } from "../harness/until.ts";
import type { Victim } from "./death-matrix.cases.ts";
import type { InjectedFault } from "./fault-injector.ts";
import { Session } from "./session.ts";

export const injectorPath = join(import.meta.dir, "fault-injector.ts");

export interface FaultyServer extends AsyncDisposable {
  readonly pid: number;
  /** What is in the log so far. */
  log(): string;
  pidOf(name: Victim | "other worker"): number;
  /** One session of each shard. */
  readonly sessions: readonly Session[];
  /** Does something to a process that it cannot be told to do by a request. */
  inject(fault: InjectedFault, pid: number): void;
  /** Whether one of its processes is there, or one that such a process started. */
  hasProcesses(): boolean;
  /** Whether the directory of its sockets is there; false for a server that has none. */
  hasSocketDirectory(): boolean;
  /** Resolves to the exit code of the program when its log is complete. */
  readonly ended: Promise<number>;
}

export interface FaultyServerOptions {
  readonly workers: number;
  readonly program?: Program;
  /** By default the mock engine. */
  readonly backendUrl?: string;
}

export async function startFaultyServer(options: FaultyServerOptions): Promise<FaultyServer> {
  const { workers, program = "source" } = options;
  const directory = mkdtempSync(join(tmpdir(), "faulty-"));
  const faultFile = join(directory, "fault");
  // Bun reads it in the working directory, in each process that the server starts.
  writeFileSync(join(directory, "bunfig.toml"), `preload = [${JSON.stringify(injectorPath)}]\n`);
  const backend = options.backendUrl
    ? ["--backend-url", options.backendUrl, "--hf-checkpoint", checkpointDirectory("qwen3")]
    : [];
  const server = await startServer(["--port", "0", "--workers", String(workers), ...backend], {
    program,
    environment: { FAULT_FILE: faultFile },
    workingDirectory: directory,
  });
  const known = [server.pid, ...childrenOf(server.pid)];
  const pidOf = (name: Victim | "other worker"): number => {
    if (name === "supervisor" || name === "server") return server.pid;
    // Shard 0 is that of the first worker.
    const names = { worker: "worker 1/", "other worker": "worker 2/" } as const;
    const title = name === "worker" || name === "other worker" ? names[name] : name;
    const pid = known.find((each) => each !== server.pid && commandLine(each).includes(title));
    if (pid === undefined) throw new Error(`no process is called ${title}`);
    return pid;
  };
  const socketDirectory = workers === 1 ? null : socketDirectoryOf(pidOf("worker"));
  return {
    pid: server.pid,
    log: server.log,
    pidOf,
    sessions: await sessionOfEachShard(server.url, workers),
    inject(fault, pid) {
      writeFileSync(faultFile, fault);
      process.kill(pid, "SIGUSR2");
    },
    // The known ones first: what all processes of the machine say of themselves costs more.
    hasProcesses: () => known.some(isAlive) || isInSomeEnvironment(faultFile),
    hasSocketDirectory: () => socketDirectory !== null && existsSync(socketDirectory),
    // A signal to what has ended reaches nobody.
    ended: server.exited.then(() => server.stop("SIGKILL")),
    async [Symbol.asyncDispose]() {
      if (isAlive(server.pid)) process.kill(server.pid, "SIGKILL");
      await server.exited;
      rmSync(directory, { recursive: true });
      // What a killed server leaves; the next one would remove it too.
      if (socketDirectory !== null) rmSync(socketDirectory, { recursive: true, force: true });
    },
  };
}

/** Sends a process into a loop that it never leaves; resolves when it is in it. */
export async function makeBusy(server: FaultyServer, pid: number): Promise<void> {
  server.inject("busy", pid);
  await until(() => server.log().includes("injected: busy"));
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

/** The directory of the sockets, as a worker was told. */
function socketDirectoryOf(pid: number): string {
  const start = `${childParametersVariable}=`;
  const variable = environmentOf(pid).find((line) => line.startsWith(start)) ?? "";
  return dirname((JSON.parse(variable.slice(start.length)) as { socketPath: string }).socketPath);
}

function isInSomeEnvironment(text: string): boolean {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .some((name) => environmentOf(Number(name)).some((line) => line.includes(text)));
}

/** Empty for a process that has ended, and for one that is not ours to look at. */
function environmentOf(pid: number): string[] {
  try {
    return readFileSync(`/proc/${pid}/environ`, "utf8").split("\0");
  } catch {
    return [];
  }
}
