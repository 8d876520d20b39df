/**
 * What the runtime must be told before a process starts that talks to the backend.
 *
 * Contract   children get these variables from their specification; a program that serves by itself
 *            replaces itself with a copy that has them, under the same process id.
 */
import { upstreamRequestsMax } from "../limits.ts";

/** Read by the runtime at its start: setting them later has no effect. */
export const upstreamSettings = {
  // fetch queues requests beyond 256 in flight otherwise: sessions would wait for each other.
  BUN_CONFIG_MAX_HTTP_REQUESTS: String(upstreamRequestsMax),
  // fetch gives a silent backend up after five minutes otherwise.
  BUN_CONFIG_HTTP_IDLE_TIMEOUT: "0",
};

/** Returns at once when this process has the settings; else does not return. */
export function restartWithUpstreamSettings(words: readonly string[]): void {
  const settings = Object.entries(upstreamSettings);
  if (settings.every(([name, value]) => process.env[name] === value)) return;
  const program = Bun.isStandaloneExecutable ? [] : [...process.execArgv, Bun.main];
  process.execve?.(process.execPath, [process.argv0, ...program, ...words], {
    ...process.env,
    ...upstreamSettings,
  });
}
