/**
 * The limit of a run: the same bytes fetched from the engine and dropped, with no server between
 * and no model that thinks.
 *
 * Contract   as many requests at a time as the run has sessions. When a whole run would take too
 *            long, every n-th turn stands for its neighbours, so that sizes are mixed as in the run.
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
}

/** Bytes and turns of one pass at most: after so many a limit is known well enough. */
const bytesMax = 6 * 1024 ** 3;
const turnsMax = 8_000;

/** A pass that takes less is repeated: the first ones compile code and map memory. */
const passMsMin = 400;
const passesMax = 20;

const enginePath = "/v1/chat/completions";

/**
 * The fastest of several passes, or the only one when it was long.
 *
 * @throws RequestError or fetch's error: without the engine there is no benchmark
 */
export async function receiveAndDrop(
  workload: Workload,
  engineUrl: string,
  way: ReceivingWay,
): Promise<DirectTally> {
  let best = await onePass(workload, engineUrl, way);
  let spentMs = best.wallMs;
  for (let pass = 1; pass < passesMax && spentMs < passMsMin; pass += 1) {
    const tally = await onePass(workload, engineUrl, way);
    spentMs += tally.wallMs;
    if (tally.wallMs < best.wallMs) best = tally;
  }
  return best;
}

async function onePass(
  workload: Workload,
  engineUrl: string,
  way: ReceivingWay,
): Promise<DirectTally> {
  const { shape, replies } = workload;
  const runBytes = replies.reduce((sum, reply) => sum + reply.byteLength, 0) * shape.sessions;
  const runTurns = replies.length * shape.sessions;
  const step = Math.max(1, Math.ceil(runBytes / bytesMax), Math.ceil(runTurns / turnsMax));
  let turns = 0;
  let replyBytes = 0;
  const receive = way === "socket" ? receiveBySocket : receiveByFetch;
  const startedAt = performance.now();
  await Promise.all(
    Array.from({ length: shape.sessions }, async (_, sessionIndex) => {
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
  return { turns, replyBytes, wallMs: performance.now() - startedAt };
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
