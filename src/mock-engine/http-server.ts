/**
 * A small HTTP/1.1 server over TCP sockets, for a backend that has to misbehave on demand.
 *
 * Why        Bun.serve drops the Content-Length of a streamed body and copies a body that is one
 *            buffer; it can neither break off a reply nor reset a connection. Inference engines
 *            announce the length of bodies of 100 MiB and more, and sometimes die in the middle.
 * Contract   requests of one connection are answered in order, one at a time; a body is a list of
 *            slices that are written without a copy as the socket takes them.
 * Lifetime   `closed` of a request is aborted when its client goes away or the server stops.
 * Not here   timeouts, TLS, compression, ranges.
 */
import type { Socket, TCPSocketListener } from "bun";
import { log } from "../log.ts";
import { type HttpRequest, HttpRequestReader, HttpSyntaxError } from "./http-request-reader.ts";

/** How much of a reply the client gets to see. */
export type Delivery = "whole" | "half-then-close" | "half-then-stall" | "none-then-reset";

export interface HttpReply {
  readonly status: number;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: readonly Uint8Array[];
  readonly framing: "content-length" | "chunked";
  readonly delivery: Delivery;
}

export type Respond = (request: HttpRequest, closed: AbortSignal) => Promise<HttpReply>;

export interface HttpServer {
  readonly port: number;
  /** Ends every connection at once. */
  stop(): void;
}

export function startHttpServer(host: string, port: number, respond: Respond): HttpServer {
  const connections = new Set<Connection>();
  const listener: TCPSocketListener<Connection> = Bun.listen<Connection>({
    hostname: host,
    port,
    socket: {
      open(socket) {
        socket.data = new Connection(socket, respond);
        connections.add(socket.data);
      },
      data: (socket, chunk) => socket.data.receive(chunk),
      drain: (socket) => socket.data.drained(),
      end: (socket) => socket.data.close(),
      error: (socket) => socket.data.close(),
      close(socket) {
        connections.delete(socket.data);
        socket.data.close();
      },
    },
  });
  return {
    port: listener.port,
    stop() {
      listener.stop();
      for (const connection of connections) connection.reset();
    },
  };
}

class Connection {
  readonly #socket: Socket<Connection>;
  readonly #respond: Respond;
  readonly #reader = new HttpRequestReader();
  readonly #closed = new AbortController();
  /** Settles when everything received so far is answered. */
  #answered: Promise<void> = Promise.resolve();
  #wakeWriter: (() => void) | null = null;

  constructor(socket: Socket<Connection>, respond: Respond) {
    this.#socket = socket;
    this.#respond = respond;
  }

  receive(chunk: Uint8Array): void {
    try {
      for (const request of this.#reader.push(chunk)) {
        this.#answered = this.#answered.then(() => this.#answer(request));
      }
    } catch (error) {
      if (!(error instanceof HttpSyntaxError)) throw error;
      log.warn(`mock engine: ${error.message}`);
      this.reset();
    }
  }

  drained(): void {
    const wake = this.#wakeWriter;
    this.#wakeWriter = null;
    wake?.();
  }

  close(): void {
    if (this.#closed.signal.aborted) return;
    this.#closed.abort();
    this.drained();
    this.#socket.end();
  }

  reset(): void {
    this.#closed.abort();
    this.drained();
    this.#socket.terminate();
  }

  async #answer(request: HttpRequest): Promise<void> {
    if (this.#closed.signal.aborted) return;
    try {
      await this.#send(request, await this.#respond(request, this.#closed.signal));
    } catch (error) {
      log.error("mock engine: a reply failed", error);
      this.reset();
    }
  }

  async #send(request: HttpRequest, reply: HttpReply): Promise<void> {
    if (reply.delivery === "none-then-reset") return this.reset();
    const body = request.method === "HEAD" ? [] : reply.body;
    const bodyBytes = byteLengthOf(reply.body);
    const wire = wireSlices(head(reply, bodyBytes), body, reply.framing);
    if (reply.delivery === "whole") {
      await this.#write(wire);
      if (request.headers["connection"]?.toLowerCase() === "close") this.#socket.shutdown();
      return;
    }
    await this.#write(firstBytes(wire, byteLengthOf(wire) - Math.ceil(bodyBytes / 2)));
    if (reply.delivery === "half-then-close") return this.close();
    await whenAborted(this.#closed.signal);
  }

  async #write(slices: readonly Uint8Array[]): Promise<void> {
    for (const slice of slices) {
      for (let offset = 0; offset < slice.length; ) {
        if (this.#closed.signal.aborted) return;
        const written = this.#socket.write(slice, offset, slice.length - offset);
        if (written < 0) return this.close();
        offset += written;
        if (offset < slice.length) {
          await new Promise<void>((resolve) => {
            this.#wakeWriter = resolve;
          });
        }
      }
    }
  }
}

export function byteLengthOf(slices: readonly Uint8Array[]): number {
  return slices.reduce((bytes, slice) => bytes + slice.length, 0);
}

function head(reply: HttpReply, bodyBytes: number): string {
  const framing =
    reply.framing === "chunked" ? "transfer-encoding: chunked" : `content-length: ${bodyBytes}`;
  const lines = reply.headers.map(([name, value]) => `${name}: ${value}`);
  // Some clients reject a status line without a reason, none reads it.
  return [`HTTP/1.1 ${reply.status} Mock`, ...lines, framing, "", ""].join("\r\n");
}

/** The reply as it goes over the wire; small neighbours are joined to save system calls. */
function wireSlices(
  head: string,
  body: readonly Uint8Array[],
  framing: HttpReply["framing"],
): Uint8Array[] {
  const joined: Uint8Array[] = [Buffer.from(head, "latin1")];
  const append = (slice: Uint8Array): void => {
    const last = joined.at(-1);
    if (last !== undefined && last.length + slice.length <= joinedBytesMax) {
      joined[joined.length - 1] = Buffer.concat([last, slice]);
    } else {
      joined.push(slice);
    }
  };
  for (const slice of body) {
    if (framing === "chunked" && slice.length > 0) {
      append(Buffer.from(`${slice.length.toString(16)}\r\n`, "latin1"));
    }
    append(slice);
    if (framing === "chunked" && slice.length > 0) append(Buffer.from("\r\n", "latin1"));
  }
  if (framing === "chunked") append(Buffer.from("0\r\n\r\n", "latin1"));
  return joined;
}

const joinedBytesMax = 64 * 1024;

function firstBytes(slices: readonly Uint8Array[], byteLength: number): Uint8Array[] {
  const first: Uint8Array[] = [];
  for (let missing = byteLength, index = 0; missing > 0 && index < slices.length; index += 1) {
    const slice = (slices[index] ?? new Uint8Array(0)).subarray(0, missing);
    first.push(slice);
    missing -= slice.length;
  }
  return first;
}

/** Resolves when the signal is aborted; it never rejects. */
export function whenAborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve(), { once: true });
  });
}
