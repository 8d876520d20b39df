/** Starts session servers around the fixture roles, and looks at processes. */
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type ServerConfig, serverConfig } from "../../src/config.ts";
import {
  SessionServerSupervisor,
  type SupervisorOptions,
} from "../../src/lifecycle/session-server-supervisor.ts";

export const fixtureProgram: readonly string[] = [
  process.execPath,
  fileURLToPath(new URL("roles.ts", import.meta.url)),
];

export const fixtureConfig: ServerConfig = serverConfig({
  workers: 2,
  port: 0,
  backendUrl: "http://127.0.0.1:9",
  // Nobody loads it: only that it is there is looked at.
  hfCheckpoint: fileURLToPath(new URL("checkpoint", import.meta.url)),
  instanceId: "00112233445566778899aabbccddeeff",
  logLevel: "silent",
});

export function fixtureServer(
  config: Partial<ServerConfig> = {},
  options: SupervisorOptions = {},
): SessionServerSupervisor {
  return new SessionServerSupervisor(
    { ...fixtureConfig, ...config },
    { program: fixtureProgram, ...options },
  );
}

/** Whether a process runs: one that is dead but not yet reaped does not. */
export function isRunning(pid: number): boolean {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    return stat.slice(stat.lastIndexOf(")") + 2, stat.lastIndexOf(")") + 3) !== "Z";
  } catch {
    return false;
  }
}

/**
 * Sends a worker into a busy loop that it never leaves; resolves when it is in it. The reply can
 * only be that the worker died.
 */
export async function makeBusy(sessionUrl: string): Promise<{ reply: Promise<Response> }> {
  const directory = mkdtempSync(join(tmpdir(), "busy-"));
  const marker = join(directory, "busy");
  const reply = fetch(`${sessionUrl}/busy`, { method: "POST", body: marker });
  // Who kills the whole server does not wait for it.
  reply.catch(() => {});
  while (!existsSync(marker)) await Bun.sleep(1);
  rmSync(directory, { recursive: true });
  return { reply };
}

/** A request that its worker takes `milliseconds` for; resolves when the worker is at it. */
export async function sleepAt(
  sessionUrl: string,
  milliseconds: number,
): Promise<{ reply: Promise<Response> }> {
  const reply = fetch(`${sessionUrl}/sleep/${milliseconds}`);
  let asleep = 0;
  while (asleep === 0) {
    ({ asleep } = (await (await fetch(`${sessionUrl}/state`)).json()) as { asleep: number });
  }
  return { reply };
}

/** Resolves when none of the processes runs. */
export async function allGone(pids: readonly number[]): Promise<void> {
  // The processes are nobody's children any more: no event tells of their end.
  while (pids.some(isRunning)) await Bun.sleep(5);
}
