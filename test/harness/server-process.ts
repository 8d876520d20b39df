/**
 * A session server as a user starts it: the real program in a process group of its own.
 *
 * Contract   resolves when the program says where it listens; `stop` ends it with SIGTERM and gives
 *            its exit code. Its log is kept for messages of failing tests.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

export interface ServerProcess {
  readonly url: string;
  readonly pid: number;
  readonly exited: Promise<number>;
  /** stderr so far. */
  log(): string;
  stop(signal?: NodeJS.Signals): Promise<number>;
}

/** What a run of the program left behind when it ended by itself. */
export interface FinishedRun {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

export type Program = "source" | "executable";

const repository = join(import.meta.dir, "..", "..");

export function programWords(program: Program): string[] {
  return program === "source"
    ? [process.execPath, join(repository, "src", "supervisor.ts")]
    : [join(repository, "dist", "session-server")];
}

export interface RunOptions {
  readonly program?: Program;
  readonly environment?: Readonly<Record<string, string>>;
  readonly workingDirectory?: string;
  /** Leads a process group of its own, as a job in a terminal does. */
  readonly inOwnGroup?: boolean;
  /** ulimit -n */
  readonly openFilesMax?: number;
}

function spawnProgram(words: readonly string[], options: RunOptions) {
  const command = [...programWords(options.program ?? "source"), ...words];
  const limit = options.openFilesMax;
  const limited = ["/bin/sh", "-c", `ulimit -n ${limit}; exec "$@"`, "sh", ...command];
  return Bun.spawn(limit === undefined ? command : limited, {
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
    env: { ...process.env, ...options.environment },
    detached: options.inOwnGroup ?? false,
    ...(options.workingDirectory === undefined ? {} : { cwd: options.workingDirectory }),
  });
}

export async function startServer(
  words: readonly string[],
  options: RunOptions = {},
): Promise<ServerProcess> {
  const child = spawnProgram(words, options);
  let log = "";
  const logRead = (async () => {
    const decoder = new TextDecoder();
    for await (const chunk of child.stderr) log += decoder.decode(chunk, { stream: true });
  })();
  const url = await listeningUrl(child.stdout, () => log);
  return {
    url,
    pid: child.pid,
    exited: child.exited,
    log: () => log,
    async stop(signal = "SIGTERM") {
      child.kill(signal);
      const code = await child.exited;
      await logRead;
      return code;
    },
  };
}

async function listeningUrl(
  stdout: ReadableStream<Uint8Array>,
  log: () => string,
): Promise<string> {
  let text = "";
  const decoder = new TextDecoder();
  for await (const chunk of stdout) {
    text += decoder.decode(chunk, { stream: true });
    const match = /^listening on (http:\/\/\S+)$/m.exec(text);
    if (match?.[1]) return match[1];
  }
  throw new Error(`the server ended before it listened; stdout: ${text}\nstderr: ${log()}`);
}

/** Runs the program to its end, for what does not serve: --help, wrong flags, a taken port. */
export async function runToEnd(
  words: readonly string[],
  options: RunOptions = {},
): Promise<FinishedRun> {
  const child = spawnProgram(words, options);
  const [exitCode, stdout, stderr] = await Promise.all([
    child.exited,
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ]);
  return { exitCode, stdout, stderr };
}

/** Process ids whose command line says that they belong to the server with this supervisor. */
export function childrenOf(pid: number): number[] {
  const found: number[] = [];
  for (const entry of readdirSync("/proc")) {
    if (!/^\d+$/.test(entry)) continue;
    try {
      const status = readFileSync(`/proc/${entry}/stat`, "utf8");
      const [, , parent] = status.slice(status.lastIndexOf(")")).split(" ");
      if (Number(parent) === pid) found.push(Number(entry));
    } catch {
      // The process ended while the list was read.
    }
  }
  return found;
}

/** The command line as `ps` shows it. */
export function commandLine(pid: number): string {
  return readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ").trim();
}

/** Files that a process has open now. */
export function openFilesOf(pid: number): number {
  return readdirSync(`/proc/${pid}/fd`).length;
}

/**
 * Whether a process is there. A zombie that waits for its parent counts as gone, unless only its
 * first thread has ended: the others still hold its memory and its files.
 */
export function isAlive(pid: number): boolean {
  try {
    const status = readFileSync(`/proc/${pid}/stat`, "utf8");
    const fields = status.slice(status.lastIndexOf(")") + 2).split(" ");
    return fields[0] !== "Z" || Number(fields[17]) > 1;
  } catch {
    return false;
  }
}
