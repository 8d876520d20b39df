// spec: ARCHITECTURE.md, "Processes"
/**
 * The router: the one HTTP listener of a server with several workers.
 *
 * Contract   connected to every worker before it listens. Only moves bytes: loads neither core nor
 *            tokenizer. Stops by finishing the replies under way.
 * Reports    rejects when a worker cannot be reached or the port cannot be bound; `failed` when the
 *            channel of a worker is lost and the supervisor has not ended us since.
 * Limits     channelLossMs.
 */
import { httpOrigin, startListener } from "../http/listener.ts";
import { RecordsTickets } from "../http/records-ticket.ts";
import { OperationClient } from "../ipc/operation-client.ts";
import type { RouterParameters, RunningRole } from "../lifecycle/child-contract.ts";
import { channelLossMs } from "../limits.ts";
import { createSharding } from "../sharding.ts";
import { createDispatch } from "./dispatch.ts";

export async function runRouter(parameters: RouterParameters): Promise<RunningRole> {
  const { config, workerSocketPaths, recordsPorts } = parameters;
  const sharding = await createSharding(workerSocketPaths.length);
  const workers = await Promise.all(workerSocketPaths.map((path) => OperationClient.connect(path)));
  const recordsOrigins = recordsPorts?.map((port) =>
    httpOrigin(config.advertiseHost ?? config.host, port),
  );
  const dispatch = createDispatch({
    instanceId: config.instanceId,
    sharding,
    workers,
    recordsOrigins: recordsOrigins ?? null,
    recordsTickets: config.authToken === null ? null : new RecordsTickets(config.authToken),
  });
  const listener = await startListener({
    hostname: config.host,
    port: config.port,
    dispatch,
    access: config,
  });
  let stopping = false;
  return {
    url: listener.url,
    port: listener.port,
    failed: lostWorker(workers, () => stopping),
    async stop(graceMs) {
      stopping = true;
      await listener.stop(graceMs);
      for (const worker of workers) worker.close();
    },
  };
}

/**
 * A worker whose channel broke while it lives holds sessions that nobody can reach: rather than
 * serve the rest and let these wait for ever, the router ends and with it the server.
 */
async function lostWorker(
  workers: readonly OperationClient[],
  isStopping: () => boolean,
): Promise<Error> {
  const lost = Promise.withResolvers<Error>();
  for (const [index, worker] of workers.entries()) {
    void worker.down.then((reason) => {
      // Signals may have reached the worker before us: whether we stop is seen in a while.
      const give = () => {
        if (!isStopping()) lost.resolve(new Error(`lost worker ${index}: ${reason}`));
      };
      setTimeout(give, channelLossMs).unref();
    });
  }
  return lost.promise;
}
