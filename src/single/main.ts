/**
 * The chassis of `--workers 1`: core and HTTP in one process, nothing in between.
 */
import type { ServerConfig } from "../config.ts";
import { createSessionCore } from "../core/core.ts";
import { startListener } from "../http/listener.ts";
import type { RunningRole } from "../lifecycle/child-contract.ts";

/** Resolves when it listens; rejects when the checkpoint or the address cannot be used. */
export async function runSingle(config: ServerConfig): Promise<RunningRole> {
  const core = await createSessionCore(config, 0);
  const listener = await startListener({
    hostname: config.host,
    port: config.port,
    dispatch: (operation, body) => core.handle(operation, body),
    access: config,
  });
  return { url: listener.url, port: listener.port, stop: (graceMs) => listener.stop(graceMs) };
}
