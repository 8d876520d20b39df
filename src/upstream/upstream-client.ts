/**
 * The way to the inference backend: one request, one reply, as slow as the model is.
 *
 * Contract   never times out, never follows redirects, never sends a request twice. The reply's
 *            body is handed over as it arrives, decompressed; its headers lack those that described
 *            the connection or the compressed body. Path and query go up as they were written.
 * Reports    UpstreamError when no reply came; InvalidRequestError when the request can be written
 *            to no HTTP backend; a body that breaks off rejects while it is read.
 * Not here   HTTP itself (http1/), what the reply means.
 */
import type { HeaderList } from "../operation.ts";
import { Http1Client } from "./http1/http1-client.ts";

export interface UpstreamRequest {
  readonly method: string;
  /** Raw path without a leading slash. */
  readonly path: string;
  /** Raw query without "?"; empty when there is none. */
  readonly query: string;
  readonly headers: HeaderList;
  readonly body: Uint8Array;
}

export interface UpstreamReply {
  readonly status: number;
  readonly headers: HeaderList;
  /** Bytes of the body when the backend said so and sent it uncompressed. */
  readonly contentLength: number | null;
  /**
   * Must be read to its end, or its iterator's return() called. A chunk belongs to its reader, who
   * may free it; UpstreamError when it breaks off.
   */
  readonly body: AsyncIterable<Uint8Array>;
}

/** What the core needs of a backend. */
export interface Upstream {
  send(request: UpstreamRequest): Promise<UpstreamReply>;
}

/** Headers of one hop (RFC 9110, 7.6.1), which the next hop sets for itself. */
const connectionHeaders = [
  "connection",
  "keep-alive",
  "proxy-authenticate",
  "proxy-authorization",
  "proxy-connection",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
];

/** accept-encoding: a compressed body would have to be inflated before it can be scanned. */
const droppedRequestHeaders: ReadonlySet<string> = new Set([
  ...connectionHeaders,
  "accept-encoding",
  "content-length",
  "expect",
  "host",
]);

/** server and date: our own HTTP server sends them, and two copies make strict clients fail. */
const droppedReplyHeaders: ReadonlySet<string> = new Set([
  ...connectionHeaders,
  "content-encoding",
  "content-length",
  "date",
  "server",
]);

export class UpstreamClient implements Upstream {
  readonly #client: Http1Client;

  /** @param baseUrl http:// or https://, with a base path; throws a sentence for any other */
  constructor(baseUrl: string) {
    this.#client = new Http1Client(baseUrl);
  }

  async send(request: UpstreamRequest): Promise<UpstreamReply> {
    const query = request.query === "" ? "" : `?${request.query}`;
    const response = await this.#client.send({
      method: request.method,
      target: `/${request.path}${query}`,
      headers: [
        ...endToEnd(request.headers, droppedRequestHeaders),
        ["accept-encoding", "identity"],
      ],
      body: request.body,
    });
    const { status, contentLength, body } = response;
    return {
      status,
      headers: endToEnd(response.headers, droppedReplyHeaders),
      contentLength,
      body,
    };
  }
}

/** Without headers of one hop, those included that Connection itself names. */
function endToEnd(headers: HeaderList, dropped: ReadonlySet<string>): HeaderList {
  const named = headers
    .filter(([name]) => name === "connection")
    .flatMap(([, value]) => value.split(","))
    .map((option) => option.trim().toLowerCase());
  return headers.filter(([name]) => !dropped.has(name) && !named.includes(name));
}
