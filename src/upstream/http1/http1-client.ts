/**
 * An HTTP/1.1 client for one backend: requests in, responses whose bodies stream.
 *
 * Contract   never times out, follows no redirect, sends no request twice; any number of requests
 *            at once. Bodies come in the chunks of the socket, uncopied and with backpressure, and
 *            without a content coding.
 * Why so     the cost of a turn is receiving 100 MiB and more. The runtime's fetch reads on a
 *            thread of its own and hands each piece over through a stream, for about twice the CPU
 *            time of a socket (the two raw receivers of bench/README.md). A socket is as cheap only
 *            if each chunk is used and freed at once, so that the memory that they pass through
 *            stays warm: freed by the garbage collector it costs as much as fetch.
 * Reports    UpstreamError when no response comes, or none that is HTTP; a body that breaks off
 *            rejects while it is read. InvalidRequestError for a request that cannot be written.
 * Not here   proxies of the environment, HTTP/2, cookies, what a gateway must not pass on.
 */
import type { HeaderList } from "../../operation.ts";
import { ConnectionPool } from "./connection-pool.ts";
import { contentCoding, decodedBody } from "./content-decoding.ts";
import { type Origin, parseOrigin } from "./origin.ts";
import { type RequestLine, requestHead } from "./request-head.ts";

export interface Http1Request extends RequestLine {
  /** Must not change until the response is there. */
  readonly body: Uint8Array;
}

export interface Http1Response {
  readonly status: number;
  /** All of them, in order; names are lower-case. */
  readonly headers: HeaderList;
  /** Bytes of the body when known: the server said so, and it is not inflated. */
  readonly contentLength: number | null;
  /** Must be read to its end, or its iterator's return() called. */
  readonly body: AsyncIterable<Uint8Array>;
}

export class Http1Client {
  readonly #origin: Origin;
  readonly #pool: ConnectionPool;

  /** @param baseUrl origin and base path */
  constructor(baseUrl: string) {
    this.#origin = parseOrigin(baseUrl);
    this.#pool = new ConnectionPool(this.#origin);
  }

  async send({ body: requestBody, ...request }: Http1Request): Promise<Http1Response> {
    const { method } = request;
    const requestHeadBytes = requestHead(this.#origin, request, requestBody.length);
    const connection = await this.#pool.acquire();
    const { head, framing, body } = await connection.exchange({
      method,
      head: requestHeadBytes,
      body: requestBody,
    });
    const contentLength = framing.kind === "length" ? framing.byteLength : null;
    const coding = contentLength === 0 ? null : contentCoding(head.headers);
    const { status, headers } = head;
    if (coding === null) return { status, headers, contentLength, body };
    return { status, headers, contentLength: null, body: decodedBody(coding, body) };
  }

  /** Closes idle connections; those in use are closed by the exchange they carry. */
  close(): void {
    this.#pool.close();
  }
}
