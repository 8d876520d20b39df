/**
 * From a reply to what the HTTP server sends: the same bytes and headers from every process.
 *
 * Contract   a body of known bytes is sent with Content-Length; a streamed one is pulled slice by
 *            slice as the client reads, and released when the client leaves. A stream that fails
 *            breaks the connection: the client never sees a complete reply.
 */
import { errorText } from "../errors.ts";
import { logFailure } from "../log.ts";
import type { Reply } from "../operation.ts";
import { releaseBody, type StreamBody } from "../stream-body.ts";

/** Statuses that carry no body by definition of HTTP. */
const bodilessStatuses: ReadonlySet<number> = new Set([204, 205, 304]);

export function toResponse(reply: Reply): Response {
  const headers = new Headers();
  for (const [name, value] of reply.headers) headers.append(name, value);
  if (bodilessStatuses.has(reply.status)) {
    releaseBody(reply.body);
    return new Response(null, { status: reply.status, headers });
  }
  const body = reply.body instanceof Uint8Array ? reply.body : toReadableStream(reply.body);
  return new Response(body as ConstructorParameters<typeof Response>[0], {
    status: reply.status,
    headers,
  });
}

function toReadableStream(body: StreamBody): ReadableStream<Uint8Array> {
  const iterator = body.chunks[Symbol.asyncIterator]();
  let isCancelled = false;
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const next = await iterator.next();
          // A client that left while there was nothing to send: no reply broke off.
          if (isCancelled) return;
          if (next.done) controller.close();
          else controller.enqueue(next.value);
        } catch (error) {
          if (isCancelled) return;
          // The status is long sent: the log is the only place where this can be told.
          logFailure("a reply broke off", { reason: errorText(error) });
          throw error;
        }
      },
      async cancel() {
        isCancelled = true;
        await iterator.return?.();
      },
    },
    // One slice ahead at most: memory follows what the client takes.
    { highWaterMark: 1 },
  );
}
