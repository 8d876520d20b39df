// spec: ARCHITECTURE.md, "Processes"
/**
 * Which worker an operation goes to, and what a client is told when it cannot be asked.
 *
 * Contract   every operation of a session goes to the owner of its id; a list of sessions is made
 *            of those of all workers. Bodies are handed on as they are. Ids of new sessions are
 *            minted here, because the id decides the owner.
 * Reports    503 the worker's channel is down, 502 its handler raised, 500 its reply was malformed.
 * Limits     no timeout: a slow model is not a dead worker.
 */
import { assert } from "../assert.ts";
import { noBytes } from "../bytes.ts";
import { errorReplyTo } from "../error-reply.ts";
import { errorText, WorkerUnavailableError } from "../errors.ts";
import type { RecordsTickets } from "../http/records-ticket.ts";
import { HandlerFailedError } from "../ipc/channel-client.ts";
import { MalformedReplyError } from "../ipc/operation-client.ts";
import { log, logFailure } from "../log.ts";
import {
  errorReply,
  healthReply,
  jsonReply,
  type Operation,
  type Reply,
  type SessionListOperation,
} from "../operation.ts";
import { randomId } from "../random-id.ts";
import { mergePages, type SessionPage } from "../session-list.ts";
import type { Sharding } from "../sharding.ts";

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
  /** What lets a client in there; null when everybody may come in. */
  readonly recordsTickets: RecordsTickets | null;
}

export function createDispatch(options: DispatchOptions) {
  const { instanceId, sharding, workers, recordsOrigins, recordsTickets } = options;
  return async function dispatch(operation: Operation, body: Uint8Array): Promise<Reply> {
    if (operation.kind === "health") return health(instanceId, workers);
    if (operation.kind === "list_sessions") return listSessions(operation, workers);
    const routed = withSessionId(operation);
    const workerIndex = sharding.ownerOf(routed.sessionId);
    const recordsOrigin = recordsOrigins?.[workerIndex];
    if (operation.kind === "get_session" && recordsOrigin !== undefined) {
      const { sessionId } = operation;
      const ticket = recordsTickets?.queryFor(sessionId, Date.now());
      const address = `${recordsOrigin}/sessions/${encodeURIComponent(sessionId)}`;
      return redirect(ticket === undefined ? address : `${address}?${ticket}`);
    }
    return askWorker(workers, workerIndex, routed, body);
  };
}

async function askWorker(
  workers: readonly WorkerPort[],
  workerIndex: number,
  operation: Operation,
  body: Uint8Array,
): Promise<Reply> {
  const startMs = performance.now();
  try {
    const worker = workers[workerIndex];
    assert(worker !== undefined, "an owner is one of the workers");
    return await worker.ask(operation, body);
  } catch (error) {
    const reply = failureReply(operation, workerIndex, error);
    logFailure(`${operation.kind} failed`, {
      ...("sessionId" in operation ? { session: operation.sessionId } : {}),
      ...{ worker: workerIndex, status: reply.status, phase: "relay" },
      durationMs: Math.round(performance.now() - startMs),
      reason: errorText(error),
    });
    return reply;
  }
}

/** A list lacks no shard: one that cannot be asked is the reply. */
async function listSessions(
  operation: SessionListOperation,
  workers: readonly WorkerPort[],
): Promise<Reply> {
  const replies = await Promise.all(
    workers.map((_, workerIndex) => askWorker(workers, workerIndex, operation, noBytes)),
  );
  const failed = replies.find((reply) => reply.status !== 200);
  if (failed !== undefined) return failed;
  return jsonReply(200, mergePages(replies.map(pageOf), operation.limit));
}

/** A worker's own reply, small by the limit of a page: no client's body is ever parsed here. */
function pageOf({ body }: Reply): SessionPage {
  if (!(body instanceof Uint8Array)) throw new Error("a page of sessions came as a stream");
  return JSON.parse(Buffer.from(body).toString()) as SessionPage;
}

/** The bytes of the records then cross neither IPC nor this process. */
function redirect(location: string): Reply {
  return { status: 307, headers: [["location", location]], body: noBytes };
}

/** What one worker is asked. */
type OwnedOperation = Exclude<Operation, { kind: "health" | "list_sessions" }>;

function withSessionId(operation: OwnedOperation): OwnedOperation & { sessionId: string } {
  if (operation.kind !== "create_session") return operation;
  return { ...operation, sessionId: operation.sessionId ?? randomId() };
}

/** A server is healthy while every shard can be asked: a lost one is lost sessions. */
function health(instanceId: string, workers: readonly WorkerPort[]): Reply {
  const down = workers.flatMap((worker, index) => (worker.up ? [] : [index]));
  if (down.length === 0) return healthReply(instanceId);
  return errorReply(503, `workers down: ${down.join(", ")} (indexes, of ${workers.length})`);
}

function failureReply(operation: Operation, workerIndex: number, error: unknown): Reply {
  const reason = errorText(error);
  if (error instanceof WorkerUnavailableError) {
    return errorReplyTo(operation, 503, `session worker ${workerIndex} is unavailable: ${reason}`);
  }
  if (error instanceof HandlerFailedError) {
    return errorReplyTo(operation, 502, `session worker ${workerIndex} failed: ${reason}`);
  }
  if (error instanceof MalformedReplyError) {
    log.error(`worker ${workerIndex} sent a malformed reply`, error);
    return errorReplyTo(
      operation,
      500,
      `session worker ${workerIndex} sent a malformed reply: ${reason}`,
    );
  }
  throw error;
}
