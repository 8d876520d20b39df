/**
 * A soak from start to end: many agents at once, each against its model, then the server must be
 * as it was before them.
 *
 * Contract   resolves also when something was wrong: `violations` says what. Nothing is left
 *            running.
 */
import { Agent, type AgentHost } from "./agent.ts";
import { type FlakyBackend, startFlakyBackend } from "./flaky-backend.ts";
import type { SoakOptions } from "./options.ts";
import { Random } from "./random.ts";
import { type SoakedServer, startSoakedServer } from "./soaked-server.ts";

export interface SoakResult {
  readonly seconds: number;
  /** What agents did, by kind. */
  readonly actions: ReadonlyMap<string, number>;
  /** Requests to the backend, by what befell them. */
  readonly backend: ReadonlyMap<string, number>;
  /** Bytes of all processes: before the first session, at most, after the last one. */
  readonly memoryBytes: { readonly before: number; readonly peak: number; readonly after: number };
  readonly openFiles: { readonly before: number; readonly peak: number; readonly after: number };
  readonly warnings: number;
  readonly violations: readonly string[];
}

/** What sessions leave behind in memory that is given back later or is warm: caches, code. */
const memoryGrowthBytesMax = 192 * 1024 * 1024;
/** How long memory and connections may take to come back. */
const settleMs = 30_000;

export async function soak(
  options: SoakOptions,
  progress = (_: string) => {},
): Promise<SoakResult> {
  const backend = startFlakyBackend(options.seed);
  const server = await startSoakedServer(options.workers, backend.url);
  try {
    return await soakServer(options, server, backend, progress);
  } finally {
    await server.stop();
    backend.stop();
  }
}

async function soakServer(
  options: SoakOptions,
  server: SoakedServer,
  backend: FlakyBackend,
  progress: (line: string) => void,
): Promise<SoakResult> {
  const actions = new Map<string, number>();
  const violations: string[] = [];
  const host: AgentHost = {
    url: server.url,
    backend,
    did: (action) => void actions.set(action, (actions.get(action) ?? 0) + 1),
    violated: (violation) => void violations.push(violation),
  };
  await warmUp(host);
  const processes = server.processes().join();
  const memory = { before: server.memoryBytes(), peak: 0, after: 0 };
  const files = { before: server.openFiles(), peak: 0, after: 0 };
  const sample = setInterval(() => {
    memory.peak = Math.max(memory.peak, server.memoryBytes());
    files.peak = Math.max(files.peak, server.openFiles());
    const count = [...actions.values()].reduce((sum, one) => sum + one, 0);
    progress(
      `${count} actions, ${mebibytes(server.memoryBytes())}, ${violations.length} violations`,
    );
  }, 1_000);
  const startMs = performance.now();
  await runAgents(options, host);
  const seconds = (performance.now() - startMs) / 1000;
  clearInterval(sample);

  await settle(server, memory, files);
  const flat = memory.after <= memory.before + memoryGrowthBytesMax;
  if (!flat) violations.push(`memory stays at ${mebibytes(memory.after)}`);
  if (server.processes().join() !== processes) violations.push("processes have changed");
  for (const line of server.logLines("error")) violations.push(`logged: ${line}`);
  if ((await server.stop()) !== 0) violations.push("the server did not stop with exit code 0");
  const warnings = server.logLines("warn").length;
  return {
    ...{ seconds, actions, backend: backend.counts, memoryBytes: memory, openFiles: files },
    ...{ warnings, violations },
  };
}

/** Loads what is loaded with the first sessions, so that it does not count as growth. */
async function warmUp(host: AgentHost): Promise<void> {
  await Promise.all(
    Array.from({ length: 32 }, async (_, index) => {
      const agent = new Agent({ ...host, did: () => {} }, `warm-up ${index}`, index);
      await agent.start();
      for (let count = 0; count < 10; count++) await agent.act();
      await agent.end();
    }),
  );
}

async function runAgents(options: SoakOptions, host: AgentHost): Promise<void> {
  const { sessions, seconds, thinkMsMax, seed } = options;
  const endMs = performance.now() + seconds * 1000;
  const lives = Array.from({ length: sessions }, async (_, index) => {
    const random = new Random(seed * 1_000_003 + index);
    const agent = new Agent(host, `agent ${index}`, random.integer(0, 2 ** 31));
    await agent.start();
    // One waits for the backend as long as the others work: no turn is ever timed out.
    if (index === 0) await agent.waitFor(seconds * 900);
    while (performance.now() < endMs) {
      await Bun.sleep(random.integer(0, thinkMsMax));
      await agent.act();
    }
    await agent.end();
  });
  const outcomes = await Promise.allSettled(lives);
  for (const outcome of outcomes) {
    if (outcome.status === "rejected") host.violated(`an agent failed: ${outcome.reason}`);
  }
}

/** Waits until memory is back, or has had its time. */
async function settle(
  server: SoakedServer,
  memory: { before: number; after: number },
  files: { after: number },
): Promise<void> {
  const endMs = performance.now() + settleMs;
  do {
    await Bun.sleep(500);
    memory.after = server.memoryBytes();
    files.after = server.openFiles();
  } while (memory.after > memory.before + memoryGrowthBytesMax / 2 && performance.now() < endMs);
}

export function mebibytes(bytes: number): string {
  return `${Math.round(bytes / 1024 / 1024)} MiB`;
}
