/**
 * A backend that answers what a test tells it to, and shows what it received.
 *
 * Contract   each session (told by X-SMG-Routing-Key) has a queue of replies; a request without one
 *            is answered 599 so that the test sees it.
 */
export interface BackendRequest {
  readonly method: string;
  /** Raw path without the leading slash. */
  readonly path: string;
  readonly query: string;
  readonly headers: Headers;
  readonly body: string;
}

export interface BackendReply {
  readonly status: number;
  readonly headers?: Record<string, string>;
  readonly body: string | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array>;
}

export interface ScriptedBackend {
  readonly url: string;
  /** Requests of one session, in the order of arrival. */
  requests(sessionId: string): readonly BackendRequest[];
  /** Queues the reply to the session's next request; a function may wait before it answers. */
  reply(
    sessionId: string,
    reply: BackendReply | ((request: BackendRequest) => Promise<BackendReply>),
  ): void;
  stop(): Promise<void>;
}

type Scripted = BackendReply | ((request: BackendRequest) => Promise<BackendReply>);

export function startScriptedBackend(): ScriptedBackend {
  const received = new Map<string, BackendRequest[]>();
  const scripted = new Map<string, Scripted[]>();
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    idleTimeout: 0,
    maxRequestBodySize: 2 ** 32,
    async fetch(request) {
      const sessionId = request.headers.get("x-smg-routing-key") ?? "";
      const [path = "", query = ""] = request.url.split("/").slice(3).join("/").split("?", 2);
      const seen: BackendRequest = {
        method: request.method,
        path,
        query,
        headers: request.headers,
        body: await request.text(),
      };
      listOf(received, sessionId).push(seen);
      const next = listOf(scripted, sessionId).shift();
      if (!next) return new Response("no reply was scripted", { status: 599 });
      const reply = typeof next === "function" ? await next(seen) : next;
      return new Response(reply.body, { status: reply.status, headers: reply.headers ?? {} });
    },
  });
  return {
    url: `http://127.0.0.1:${server.port}`,
    requests: (sessionId) => listOf(received, sessionId),
    reply: (sessionId, reply) => void listOf(scripted, sessionId).push(reply),
    stop: () => server.stop(true),
  };
}

function listOf<Value>(map: Map<string, Value[]>, key: string): Value[] {
  const list = map.get(key) ?? [];
  map.set(key, list);
  return list;
}
