/**
 * The way to the inference backend: one request, one reply, as slow as the model is.
 *
 * Contract   never times out, never follows redirects, never sends a request twice. The reply's
 *            body is handed over as it arrives, decompressed; its headers lack those that described
 *            the connection or the compressed body. Path and query go up as they were written.
 * Reports    UpstreamError when no reply came; a body that breaks off rejects while it is read.
 * Not here   what the reply means.
 */
import { errorText, UpstreamError } from "../errors.ts";
import type { HeaderList } from "../operation.ts";

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
  /** Must be read to its end or cancelled. */
  readonly body: ReadableStream<Uint8Array>;
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

/** Methods for which fetch takes no body. */
const bodilessMethods: ReadonlySet<string> = new Set(["GET", "HEAD"]);

const emptyStream = (): ReadableStream<Uint8Array> =>
  new ReadableStream({ start: (controller) => controller.close() });

export class UpstreamClient implements Upstream {
  readonly #baseUrl: string;

  /** @param baseUrl origin and base path, without a trailing slash */
  constructor(baseUrl: string) {
    this.#baseUrl = baseUrl;
  }

  async send(request: UpstreamRequest): Promise<UpstreamReply> {
    const query = request.query === "" ? "" : `?${request.query}`;
    const init: BunFetchRequestInit = {
      method: request.method,
      headers: [
        ...request.headers.filter(([name]) => !droppedRequestHeaders.has(name)),
        ["accept-encoding", "identity"],
      ],
      redirect: "manual",
      // The backend may close an idle connection at the moment we use it, and a turn must neither
      // fail for that nor be sampled twice: each request gets a connection of its own.
      keepalive: false,
      timeout: false,
    };
    if (request.body.length > 0 && !bodilessMethods.has(request.method)) {
      init.body = request.body as Uint8Array<ArrayBuffer>;
    }
    let response: Response;
    try {
      response = await fetch(`${this.#baseUrl}/${request.path}${query}`, init);
    } catch (error) {
      throw transportError(error);
    }
    if (response.status < 200 || response.status > 599) {
      await response.body?.cancel();
      throw transportError(new Error(`${response.status} is no HTTP status`));
    }
    return {
      status: response.status,
      headers: [...response.headers].filter(([name]) => !droppedReplyHeaders.has(name)),
      contentLength: knownLength(response.headers),
      body: response.body ?? emptyStream(),
    };
  }
}

/** The failure of a request or of a body that broke off, in the words of the original. */
export function transportError(error: unknown): UpstreamError {
  const code =
    error instanceof Error && "code" in error && typeof error.code === "string"
      ? error.code
      : "Error";
  const text =
    code === "EMFILE"
      ? "this server has as many files open as it may (ulimit -n)"
      : errorText(error);
  const reason = text.startsWith(code) ? text : `${code}: ${text}`;
  return new UpstreamError(`backend transport error: ${reason}`, { cause: error });
}

/** Reads a body to its end; UpstreamError when it breaks off. */
export async function readBody(body: ReadableStream<Uint8Array>): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  try {
    for await (const chunk of body) chunks.push(chunk);
  } catch (error) {
    throw transportError(error);
  }
  return chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks);
}

function knownLength(headers: Headers): number | null {
  const text = headers.get("content-length");
  if (text === null || headers.has("content-encoding")) return null;
  const length = Number(text);
  return Number.isSafeInteger(length) && length >= 0 ? length : null;
}
