/**
 * Starts a server under test and says when it answers.
 *
 * Contract   resolves when the server is ready; `stop` ends what was started here and nothing else.
 * Reports    LaunchError with the server's last words when it ends, or stays silent, before it is
 *            ready.
 */
import type { ChildProcess, ChildProcesses } from "../process/child-processes.ts";
import { titoModel } from "../workload/conversation.ts";
import type { Target } from "./target.ts";

export class LaunchError extends Error {
  override readonly name = "LaunchError";
}

export interface LaunchSettings {
  /** null: the server's own mock engine, which only the demo tokenizer goes with. */
  readonly backendUrl: string | null;
  /** null: the demo tokenizer. */
  readonly checkpointDirectory: string | null;
  /** Whether the server has to ask for routed_experts. */
  readonly usesR3: boolean;
  /** Further words for the command line of a `bun` or `executable` target. */
  readonly serverFlags: readonly string[];
}

export interface RunningTarget {
  readonly url: string;
  /** Processes whose group is measured; none when a URL was given without them. */
  readonly pids: readonly number[];
  /** How it ended, should it end by itself. */
  readonly ended: Promise<string>;
  /** The last of its stderr. */
  log(): string;
  stop(): Promise<void>;
}

const readyMsMax = 120_000;
/** For a server that runs already. */
const runningMsMax = 10_000;
const healthPollMs = 100;

export async function launch(
  target: Target,
  settings: LaunchSettings,
  processes: ChildProcesses,
): Promise<RunningTarget> {
  if (target.kind === "url") {
    await untilHealthy(target.url, new Promise<never>(() => {}), runningMsMax).catch((error) => {
      throw new LaunchError(`server ${target.label}: ${error.message}`, { cause: error });
    });
    return {
      url: target.url,
      pids: target.pids,
      ended: new Promise<never>(() => {}),
      log: () => "",
      stop: async () => {},
    };
  }
  if (target.kind === "command") return launchCommand(target.words, settings, processes);
  const child = processes.start(`server ${target.label}`, {
    argv: [...target.argv, ...serverWords(target.workers, settings)],
    readsStdout: true,
  });
  const url = await guarded(child, listeningUrl(child));
  return running(child, url);
}

function serverWords(workers: number, settings: LaunchSettings): string[] {
  return [
    ...["--port", "0", "--workers", String(workers)],
    ...(settings.backendUrl === null ? [] : ["--backend-url", settings.backendUrl]),
    ...checkpointWords(settings.checkpointDirectory),
    ...(settings.usesR3 ? ["--use-rollout-routing-replay"] : []),
    ...["--log-level", "error"],
    ...settings.serverFlags,
  ];
}

function checkpointWords(directory: string | null): string[] {
  if (directory === null) return [];
  return ["--hf-checkpoint", directory, "--tito-model", titoModel];
}

async function launchCommand(
  words: readonly string[],
  settings: LaunchSettings,
  processes: ChildProcesses,
): Promise<RunningTarget> {
  const port = freePort();
  const argv = words.map((word) =>
    word.replaceAll("{port}", String(port)).replaceAll("{backend}", settings.backendUrl ?? "mock"),
  );
  const child = processes.start(`server ${argv[0]}`, { argv });
  const url = `http://127.0.0.1:${port}`;
  await guarded(child, untilHealthy(url, child.ended));
  return running(child, url);
}

function running(child: ChildProcess, url: string): RunningTarget {
  const { pid, ended } = child;
  return { url, pids: [pid], ended, log: child.stderr, stop: child.stop };
}

/** A child that is not ready is stopped. */
async function guarded<Value>(child: ChildProcess, ready: Promise<Value>): Promise<Value> {
  try {
    return await ready;
  } catch (error) {
    await child.stop();
    const words = [`${child.name} did not start: ${error}`, child.stderr().trim()];
    throw new LaunchError(words.filter(Boolean).join("\n"), { cause: error });
  }
}

async function listeningUrl(child: ChildProcess): Promise<string> {
  const timeout = setTimeout(() => void child.stop(), readyMsMax);
  let text = "";
  const decoder = new TextDecoder();
  for await (const chunk of child.stdout ?? []) {
    text += decoder.decode(chunk, { stream: true });
    const url = /^listening on (http:\/\/\S+)$/m.exec(text)?.[1];
    if (url === undefined) continue;
    clearTimeout(timeout);
    return url;
  }
  clearTimeout(timeout);
  throw new Error(`it ended with ${await child.ended} before it listened`);
}

async function untilHealthy(
  url: string,
  ended: Promise<string>,
  msMax = readyMsMax,
): Promise<void> {
  let end: string | null = null;
  void ended.then((how) => {
    end = how;
  });
  const deadline = performance.now() + msMax;
  while (end === null && performance.now() < deadline) {
    const isHealthy = await fetch(`${url}/health`).then(
      (response) => response.ok,
      () => false,
    );
    if (isHealthy) return;
    await Bun.sleep(healthPollMs);
  }
  throw new Error(end === null ? `${url}/health does not answer` : `it ended with ${end}`);
}

function freePort(): number {
  const listener = Bun.listen({ hostname: "127.0.0.1", port: 0, socket: { data() {} } });
  const { port } = listener;
  listener.stop(true);
  return port;
}
