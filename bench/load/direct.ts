/**
 * The limit of a run: the same bytes fetched from the engine and dropped, with no server between
 * and no model that thinks.
 *
 * Contract   as many requests at a time as the run has sessions, dealt out to one or several
 *            processes. When a whole run would take too long, every n-th turn stands for its
 *            neighbours, so that sizes are mixed as in the run.
 *            Two ways of receiving: `socket`, the least that any process can do, which is also the
 *            engine's ceiling; `fetch`, the least that a server on Bun's HTTP client can do.
 */
import {
  formatTurnHeader,
  hasteHeaderName,
  type TurnReference,
  turnHeaderName,
} from "../engine/turn-header.ts";
import { requestBody } from "../workload/request-text.ts";
import type { Workload } from "../workload/workload.ts";
import { HttpClient } from "./http-client.ts";

export type ReceivingWay = "socket" | "fetch";

export interface DirectTally {
  readonly turns: number;
  readonly replyBytes: number;
  readonly wallMs: number;
  /** Processor time of the receiving process. */
  readonly cpuMs: number;
}

/** Bytes and turns of one pass at most: after so many a limit is known well enough. */
const bytesMax = 6 * 1024 ** 3;
const turnsMax = 8_000;

const enginePath = "/v1/chat/completions";

/** One pass of one process. */
export interface DirectReceiving {
  readonly engineUrl: string;
  readonly way: ReceivingWay;
  /** Sessions whose replies are received, all at the same time. */
  readonly sessionIndices: readonly number[];
}

/** @throws RequestError or fetch's error: without the engine there is no benchmark */
export async function receiveAndDrop(
  workload: Workload,
  { engineUrl, way, sessionIndices }: DirectReceiving,
): Promise<DirectTally> {
  const { shape, replies } = workload;
  const runBytes = replies.reduce((sum, reply) => sum + reply.byteLength, 0) * shape.sessions;
  const runTurns = replies.length * shape.sessions;
  const step = Math.max(1, Math.ceil(runBytes / bytesMax), Math.ceil(runTurns / turnsMax));
  let turns = 0;
  let replyBytes = 0;
  const receive = way === "socket" ? receiveBySocket : receiveByFetch;
  const cpuAtStart = process.cpuUsage();
  const startedAt = performance.now();
  await Promise.all(
    sessionIndices.map(async (sessionIndex) => {
      // Sessions begin at different turns, so that together they take all of them.
      const references: TurnReference[] = [];
      for (let turnIndex = sessionIndex % step; turnIndex < replies.length; turnIndex += step) {
        references.push({ sessionIndex, turnIndex });
      }
      for await (const bytes of receive(workload, engineUrl, references)) {
        turns += 1;
        replyBytes += bytes;
      }
    }),
  );
  const wallMs = performance.now() - startedAt;
  const { user, system } = process.cpuUsage(cpuAtStart);
  return { turns, replyBytes, wallMs, cpuMs: (user + system) / 1000 };
}

async function* receiveBySocket(
  workload: Workload,
  engineUrl: string,
  references: readonly TurnReference[],
): AsyncGenerator<number> {
  const client = new HttpClient(engineUrl);
  for (const reference of references) {
    const { sessionIndex, turnIndex } = reference;
    const { status, bodyBytes } = await client.send({
      method: "POST",
      path: enginePath,
      headers: [`${turnHeaderName}: ${formatTurnHeader(reference)}`, `${hasteHeaderName}: 1`],
      body: requestBody(workload.requests, sessionIndex, turnIndex),
    });
    if (status !== 200) throw new Error(`the bench engine answered ${status}`);
    yield bodyBytes;
  }
  client.close();
}

async function* receiveByFetch(
  workload: Workload,
  engineUrl: string,
  references: readonly TurnReference[],
): AsyncGenerator<number> {
  for (const reference of references) {
    const { sessionIndex, turnIndex } = reference;
    const response = await fetch(`${engineUrl}${enginePath}`, {
      method: "POST",
      headers: {
        [turnHeaderName]: formatTurnHeader(reference),
        [hasteHeaderName]: "1",
        "accept-encoding": "identity",
      },
      body: Buffer.concat(requestBody(workload.requests, sessionIndex, turnIndex)),
      timeout: false,
    } satisfies BunFetchRequestInit);
    if (!response.ok) throw new Error(`the bench engine answered ${response.status}`);
    let bytes = 0;
    for await (const chunk of response.body ?? []) bytes += chunk.length;
    yield bytes;
  }
}
