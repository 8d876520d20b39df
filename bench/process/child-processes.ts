/**
 * Every process that a benchmark starts, from start to end.
 *
 * Contract   `stopAll` ends them all and whatever they have started, by process id, and resolves
 *            when none is left; idempotent. When the benchmark itself is killed, the kernel ends
 *            those of Bun (NO_ORPHANS), and they their children.
 */
import { descendantsOf, isAlive } from "./process-table.ts";

export interface StartOptions {
  readonly argv: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly onMessage?: (message: unknown) => void;
  /** Whether to read stdout; else it is dropped. */
  readonly readsStdout?: boolean;
}

export interface ChildProcess {
  readonly name: string;
  readonly pid: number;
  readonly stdout: ReadableStream<Uint8Array> | null;
  /** How it ended, for people. */
  readonly ended: Promise<string>;
  /** The last of what it wrote to stderr. */
  stderr(): string;
  send(message: unknown): void;
  /** SIGTERM, a grace time, SIGKILL for it and for all that it has started. Idempotent. */
  stop(): Promise<void>;
}

/** Milliseconds between SIGTERM and SIGKILL: more than a session server's own grace time. */
const graceMs = 8_000;
const stderrCharactersKept = 4_000;
const endPollMs = 5;

export class ChildProcesses {
  readonly #running = new Set<ChildProcess>();
  #isStopping = false;

  /** From the first call of `stopAll` on: what is measured now means nothing. */
  get isStopping(): boolean {
    return this.#isStopping;
  }

  start(name: string, options: StartOptions): ChildProcess {
    if (this.#isStopping) throw new Error("the benchmark is being stopped");
    const child = startChild(name, options, () => this.#running.delete(child));
    this.#running.add(child);
    return child;
  }

  async stopAll(): Promise<void> {
    this.#isStopping = true;
    await Promise.all([...this.#running].map((child) => child.stop()));
  }
}

function startChild(name: string, options: StartOptions, onEnd: () => void): ChildProcess {
  const { onMessage } = options;
  const subprocess = Bun.spawn([...options.argv], {
    env: { ...process.env, BUN_FEATURE_FLAG_NO_ORPHANS: "1", ...options.environment },
    // In a group of its own: Ctrl-C reaches the benchmark alone, which then stops all in order.
    detached: true,
    stdin: "ignore",
    stdout: options.readsStdout === true ? "pipe" : "ignore",
    stderr: "pipe",
    ...(onMessage === undefined ? {} : { ipc: (message: unknown) => onMessage(message) }),
  });
  let stderr = "";
  void (async () => {
    const decoder = new TextDecoder();
    for await (const chunk of subprocess.stderr) {
      stderr = (stderr + decoder.decode(chunk, { stream: true })).slice(-stderrCharactersKept);
    }
  })();
  const ended = subprocess.exited.then(() => {
    onEnd();
    const { exitCode, signalCode } = subprocess;
    return signalCode === null ? `exit code ${exitCode}` : `signal ${signalCode}`;
  });
  // A second SIGTERM would make a session server end at once instead of in order.
  let stopping: Promise<void> | null = null;
  return {
    name,
    pid: subprocess.pid,
    stdout: options.readsStdout === true ? (subprocess.stdout ?? null) : null,
    ended,
    stderr: () => stderr,
    send: (message) => subprocess.send(message),
    stop: () => {
      stopping ??= stopTree(subprocess, ended);
      return stopping;
    },
  };
}

async function stopTree(
  subprocess: Bun.Subprocess<"ignore", "pipe" | "ignore", "pipe">,
  ended: Promise<string>,
): Promise<void> {
  const started = descendantsOf(subprocess.pid);
  subprocess.kill("SIGTERM");
  const kill = setTimeout(() => subprocess.kill("SIGKILL"), graceMs);
  await ended;
  clearTimeout(kill);
  for (const { pid, startTicks } of started) {
    killIfAlive(pid, startTicks);
  }
  // What was killed is gone a little later.
  while (started.some(({ pid, startTicks }) => isAlive(pid, startTicks)))
    await Bun.sleep(endPollMs);
}

/** A process id that was used again since belongs to somebody else. */
function killIfAlive(pid: number, startTicks: number): void {
  if (!isAlive(pid, startTicks)) return;
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // It ended in this moment.
  }
}
