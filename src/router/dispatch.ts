// spec: ARCHITECTURE.md, "Processes"
/**
 * Which worker an operation goes to, and what a client is told when it cannot be asked.
 *
 * Contract   every operation of a session goes to the owner of its id. Bodies are handed on as they
 *            are. Ids of new sessions are minted here, because the id decides the owner.
 * Reports    503 the worker's channel is down, 502 its handler raised, 500 its reply was malformed.
 * Limits     no timeout: a slow model is not a dead worker.
 */
import { assert } from "../assert.ts";
import { errorText, WorkerUnavailableError } from "../errors.ts";
import { HandlerFailedError } from "../ipc/channel-client.ts";
import { MalformedReplyError } from "../ipc/operation-client.ts";
import { log, logFailure } from "../log.ts";
import { errorReply, healthReply, type Operation, type Reply } from "../operation.ts";
import { mintSessionId, type Sharding } from "../sharding.ts";

/** What the router needs of its end of a worker. */
export interface WorkerPort {
  /** Whether the worker can be asked. */
  readonly up: boolean;
  ask(operation: Operation, body: Uint8Array): Promise<Reply>;
}

export interface DispatchOptions {
  readonly instanceId: string;
  readonly sharding: Sharding;
  /** In the order of their indexes. */
  readonly workers: readonly WorkerPort[];
  /** Where the workers give out records, in the same order; null when they go through here. */
  readonly recordsOrigins: readonly string[] | null;
}

export function createDispatch(options: DispatchOptions) {
  const { instanceId, sharding, workers, recordsOrigins } = options;
  return async function dispatch(operation: Operation, body: Uint8Array): Promise<Reply> {
    if (operation.kind === "health") return health(instanceId, workers);
    const routed = withSessionId(operation);
    const workerIndex = sharding.ownerOf(routed.sessionId);
    const recordsOrigin = recordsOrigins?.[workerIndex];
    if (operation.kind === "get_session" && recordsOrigin !== undefined) {
      return redirect(`${recordsOrigin}/sessions/${encodeURIComponent(operation.sessionId)}`);
    }
    const startMs = performance.now();
    try {
      const worker = workers[workerIndex];
      assert(worker !== undefined, "an owner is one of the workers");
      return await worker.ask(routed, body);
    } catch (error) {
      const reply = failureReply(workerIndex, error);
      logFailure(`${routed.kind} failed`, {
        ...{ session: routed.sessionId, worker: workerIndex, status: reply.status, phase: "relay" },
        durationMs: Math.round(performance.now() - startMs),
        reason: errorText(error),
      });
      return reply;
    }
  };
}

/** The bytes of the records then cross neither IPC nor this process. */
function redirect(location: string): Reply {
  return { status: 307, headers: [["location", location]], body: new Uint8Array(0) };
}

type SessionOperation = Exclude<Operation, { kind: "health" }> & { sessionId: string };

function withSessionId(operation: Exclude<Operation, { kind: "health" }>): SessionOperation {
  if (operation.kind !== "create_session") return operation;
  return { ...operation, sessionId: operation.sessionId ?? mintSessionId() };
}

/** A server is healthy while every shard can be asked: a lost one is lost sessions. */
function health(instanceId: string, workers: readonly WorkerPort[]): Reply {
  const down = workers.flatMap((worker, index) => (worker.up ? [] : [index]));
  if (down.length === 0) return healthReply(instanceId);
  return errorReply(503, `workers down: ${down.join(", ")} (indexes, of ${workers.length})`);
}

function failureReply(workerIndex: number, error: unknown): Reply {
  const reason = errorText(error);
  if (error instanceof WorkerUnavailableError) {
    return errorReply(503, `session worker ${workerIndex} is unavailable: ${reason}`);
  }
  if (error instanceof HandlerFailedError) {
    return errorReply(502, `session worker ${workerIndex} failed: ${reason}`);
  }
  if (error instanceof MalformedReplyError) {
    log.error(`worker ${workerIndex} sent a malformed reply`, error);
    return errorReply(500, `session worker ${workerIndex} sent a malformed reply: ${reason}`);
  }
  throw error;
}
