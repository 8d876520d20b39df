/**
 * Full-records GETs: bodies of gigabytes, counted and dropped as they come.
 *
 * Contract   follows one redirect (307, to the owner's own listener). A GET is a success only if
 *            it has status 200, came to its end, and is at least as long as the payloads that it
 *            must hold. A failure is counted, never tried again.
 */
import { kindOf } from "./agent.ts";
import { HttpClient, RequestError } from "./http-client.ts";
import { countFailure, type RecordsTally } from "./tally.ts";

export interface RecordsReading {
  readonly url: string;
  readonly sessionIds: readonly string[];
  /** GETs at the same time. */
  readonly concurrency: number;
  /** Bytes that every body must have at least. */
  readonly bytesMin: number;
  /** Whether to begin again when every session was read, until told to stop. */
  readonly repeats: boolean;
}

/** @param isStopped asked before each GET */
export async function readRecords(
  reading: RecordsReading,
  tally: RecordsTally,
  isStopped: () => boolean,
): Promise<void> {
  const { sessionIds, concurrency, repeats } = reading;
  let next = 0;
  const take = (): string | undefined => {
    if (isStopped() || (next >= sessionIds.length && !repeats)) return undefined;
    next += 1;
    return sessionIds[(next - 1) % sessionIds.length];
  };
  await Promise.all(
    Array.from({ length: concurrency }, async () => {
      const client = new HttpClient(reading.url);
      for (let id = take(); id !== undefined; id = take()) {
        const failed = !(await readOne(reading, client, id, tally));
        // A server that is gone would be asked a million times a second.
        if (failed && repeats) break;
      }
      client.close();
    }),
  );
}

async function readOne(
  reading: RecordsReading,
  client: HttpClient,
  sessionId: string,
  tally: RecordsTally,
): Promise<boolean> {
  const startedAt = performance.now();
  try {
    const request = { method: "GET", path: `/sessions/${sessionId}`, headers: [], body: [] };
    let reply = await client.send(request);
    if (reply.status === 307) {
      const location = new URL(reply.head.header("location") ?? "", reading.url);
      const owner = new HttpClient(location.origin);
      reply = await owner.send({ ...request, path: location.pathname + location.search });
      owner.close();
    }
    if (reply.status !== 200) throw new RequestError(`records: status ${reply.status}`);
    if (reply.bodyBytes < reading.bytesMin) throw new RequestError("records: too short");
    tally.gets.push([reply.bodyBytes, performance.now() - startedAt]);
    return true;
  } catch (error) {
    countFailure(tally.failures, kindOf(error));
    return false;
  }
}
