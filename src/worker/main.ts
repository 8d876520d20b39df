// spec: ARCHITECTURE.md, "Processes"
/**
 * A worker: one core that holds one shard of the sessions, behind a Unix socket.
 *
 * Contract   listens when it is started; speaks IPC only, but for `--records-path redirect`: then a
 *            listener of its own gives clients the records of its sessions, and nothing else.
 * Reports    rejects when the core cannot be made or the socket cannot be bound.
 */
import type { ServerConfig } from "../config.ts";
import { type Listener, startListener } from "../http/listener.ts";
import { OperationServer } from "../ipc/operation-server.ts";
import type { RunningRole, WorkerParameters } from "../lifecycle/child-contract.ts";
import { log } from "../log.ts";
import { jsonReply, type OperationHandler } from "../operation.ts";

type CreateHandler = (config: ServerConfig, workerIndex: number) => Promise<OperationHandler>;

export async function runWorker(
  parameters: WorkerParameters,
  createHandler: CreateHandler = createCore,
): Promise<RunningRole> {
  const { config, socketPath, workerIndex } = parameters;
  const handler = await createHandler(config, workerIndex);
  const server = new OperationServer(socketPath, handler);
  const records = config.recordsPath === "redirect" ? await serveRecords(config, handler) : null;
  log.debug(`owns shard ${workerIndex} of ${config.workers}`);
  return {
    url: records?.url ?? null,
    port: records?.port ?? null,
    async stop(graceMs) {
      await Promise.all([server.stop(graceMs), records?.stop(graceMs)]);
    },
  };
}

function serveRecords(config: ServerConfig, handler: OperationHandler): Promise<Listener> {
  return startListener({
    hostname: config.host,
    port: 0,
    access: config,
    dispatch: async (operation, body) =>
      operation.kind === "get_session"
        ? handler.handle(operation, body)
        : jsonReply(404, { detail: "Not Found" }),
  });
}

async function createCore(config: ServerConfig, workerIndex: number): Promise<OperationHandler> {
  const { createSessionCore } = await import("../core/core.ts");
  return createSessionCore(config, workerIndex);
}
