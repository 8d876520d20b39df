// spec: ARCHITECTURE.md, "Processes"
/**
 * A worker: one core that holds one shard of the sessions, behind a Unix socket.
 *
 * Contract   listens when it is started; speaks IPC only.
 * Reports    rejects when the core cannot be made or the socket cannot be bound.
 */
import type { ServerConfig } from "../config.ts";
import { OperationServer } from "../ipc/operation-server.ts";
import type { RunningRole, WorkerParameters } from "../lifecycle/child-contract.ts";
import { log } from "../log.ts";
import type { OperationHandler } from "../operation.ts";

export async function runWorker(
  parameters: WorkerParameters,
  createHandler: (config: ServerConfig) => Promise<OperationHandler> = createCore,
): Promise<RunningRole> {
  const handler = await createHandler(parameters.config);
  const server = new OperationServer(parameters.socketPath, handler);
  log.debug(`owns shard ${parameters.workerIndex} of ${parameters.config.workers}`);
  return { url: null, port: null, stop: (graceMs) => server.stop(graceMs) };
}

async function createCore(config: ServerConfig): Promise<OperationHandler> {
  const { createSessionCore } = await import("../core/core.ts");
  return createSessionCore(config);
}
