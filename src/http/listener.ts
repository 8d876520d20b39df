/**
 * The HTTP server in front of a dispatcher: the same one for the single process and the router.
 *
 * Contract   no request is ever timed out: a model may think for as long as it likes. A client that
 *            leaves ends only its own wait; the operation runs to its end.
 * Reports    500 as JSON when the dispatcher rejects (a bug); the address that it listens on.
 * Limits     requestBodyBytesMax (413 beyond).
 * Not here   routes (route.ts), meaning of operations.
 */

import { noBytes } from "../bytes.ts";
import { errorReplyTo } from "../error-reply.ts";
import { errorText } from "../errors.ts";
import { requestBodyBytesMax } from "../limits.ts";
import { log, logFailure } from "../log.ts";
import { errorReply, type Operation, type Reply } from "../operation.ts";
import { releaseBody } from "../stream-body.ts";
import { Access, type AccessRules, openAccess } from "./access.ts";
import { toResponse } from "./response.ts";
import { route } from "./route.ts";

export type Dispatch = (operation: Operation, body: Uint8Array) => Promise<Reply>;

export interface Listener {
  readonly port: number;
  /** "http://HOST:PORT", IPv6 hosts in brackets. */
  readonly url: string;
  /** Refuses new connections, waits up to `graceMs` for replies under way, then closes all. */
  stop(graceMs: number): Promise<void>;
}

export interface ListenerOptions {
  hostname: string;
  /** 0 lets the system choose. */
  port: number;
  dispatch: Dispatch;
  access?: AccessRules;
}

/** Rejects with the system's error when the address cannot be bound. */
export async function startListener(options: ListenerOptions): Promise<Listener> {
  const access = new Access(options.access ?? openAccess);
  const server = Bun.serve({
    hostname: options.hostname,
    port: options.port,
    // Bun's default lets two servers share a port: each session would then exist in one of them
    // only.
    reusePort: false,
    // Bun's default is 10 s, noticed within 12: a request that is not answered by then is cut off.
    // A turn may take an hour.
    idleTimeout: 0,
    maxRequestBodySize: requestBodyBytesMax,
    development: false,
    fetch: (request) => answer(request, access, options.dispatch),
    error: (error) => {
      log.error("request failed in the HTTP layer", error);
      return toResponse(errorReply(500, "internal error"));
    },
  });
  const port = server.port ?? options.port;
  return {
    port,
    url: httpOrigin(options.hostname, port),
    stop: (graceMs) => stop(server, graceMs),
  };
}

async function answer(request: Request, access: Access, dispatch: Dispatch): Promise<Response> {
  const headers = access.forwarded([...request.headers]);
  const target = route(request.method, request.url, headers);
  const refusal = access.refusal(target, {
    authorization: request.headers.get("authorization"),
    apiKey: request.headers.get("x-api-key"),
    query: request.url.split("?", 2)[1] ?? "",
  });
  if (refusal !== null) return refused(request, refusal);
  if ("reply" in target) return answeredHere(request, target.reply);
  let body: Uint8Array;
  try {
    body = request.body === null ? noBytes : await request.bytes();
  } catch {
    return clientLeft(request, "before it had sent its body");
  }
  let reply: Reply;
  try {
    reply = await dispatch(target.operation, body);
  } catch (error) {
    log.error(`${request.method} ${withoutQuery(request.url)} failed`, error);
    reply = errorReplyTo(target.operation, 500, `internal error: ${errorText(error)}`);
  }
  if (request.signal.aborted) {
    // Nobody would pull a stream, so nobody would release it either.
    releaseBody(reply.body);
    return clientLeft(request, "before its reply was there");
  }
  try {
    return toResponse(reply);
  } catch (error) {
    releaseBody(reply.body);
    const asked = `${request.method} ${withoutQuery(request.url)}`;
    log.error(`${asked} got a reply that cannot be sent`, error);
    return toResponse(errorReplyTo(target.operation, 500, "internal error"));
  }
}

/** Somebody tries doors: told to the operator, though not each time when it is a thousand times. */
function refused(request: Request, reply: Reply): Response {
  const { method, url } = request;
  logFailure("a request was refused", { method, url: withoutQuery(url), status: reply.status });
  return toResponse(reply);
}

/** No such route, another method, a redirect: no operation, so the core has no line for it. */
function answeredHere(request: Request, reply: Reply): Response {
  const { method, url } = request;
  const { status } = reply;
  log.debug("answered without an operation", { method, url: withoutQuery(url), status });
  return toResponse(reply);
}

/** What a query holds is the client's own, and may be a ticket. */
function withoutQuery(url: string): string {
  return url.split("?", 1)[0] ?? url;
}

/** What is returned then goes nowhere. */
function clientLeft(request: Request, when: string): Response {
  log.debug("a client left", { method: request.method, url: withoutQuery(request.url), when });
  return new Response(null, { status: 499 });
}

async function stop(server: Bun.Server<undefined>, graceMs: number): Promise<void> {
  let timer: Timer | undefined;
  const deadline = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, graceMs);
  });
  await Promise.race([server.stop(), deadline]);
  clearTimeout(timer);
  // stop(true) may wait for handlers that never end; nobody needs its promise.
  server.stop(true).catch(() => {});
}

/** "http://HOST:PORT", IPv6 addresses in brackets. */
export function httpOrigin(hostname: string, port: number): string {
  return `http://${hostname.includes(":") ? `[${hostname}]` : hostname}:${port}`;
}
