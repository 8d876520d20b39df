/**
 * One connection to a backend, plain or TLS: the one file of the client that knows the runtime.
 *
 * Contract   carries one exchange after the other. It tells its owner each time it is free again,
 *            and once that it is gone; between exchanges it does not keep the process alive. There
 *            is no limit on time: a silent peer that is still there may take for ever, one whose
 *            machine is gone is found out by TCP's own probes.
 *            Certificates and names of TLS peers are verified, as NODE_EXTRA_CA_CERTS and
 *            NODE_TLS_REJECT_UNAUTHORIZED say.
 * Reports    connect() rejects with UpstreamError. An exception in our own handlers is a bug and
 *            ends the process.
 */
import { closeSync, openSync } from "node:fs";
import { assert } from "../../assert.ts";
import { backendProbeMs } from "../../limits.ts";
import { transportError } from "../transport-error.ts";
import { Exchange, type ExchangeRequest, type ExchangeResponse } from "./exchange.ts";
import type { Origin } from "./origin.ts";
import { TruncatedResponseError } from "./truncated-response.ts";

export interface ConnectionOwner {
  /** The exchange is over and the connection can carry another. */
  free(connection: Connection): void;
  closed(connection: Connection): void;
}

/** What switches it off in Node and in fetch, for peers whose certificate nobody signed. */
const verifiesPeers = process.env["NODE_TLS_REJECT_UNAUTHORIZED"] !== "0";

interface Attached {
  readonly owner: ConnectionOwner;
  readonly opening: PromiseWithResolvers<Connection>;
  /** Null before the connection is open and after it has closed. */
  connection: Connection | null;
}
type Socket = Bun.Socket<Attached>;

export class Connection {
  /** performance.now() when the last exchange ended. */
  idleSince = 0;
  readonly #socket: Socket;
  readonly #owner: ConnectionOwner;
  #exchange: Exchange | null = null;
  #isOpen = true;
  /** Whether the peer has said that it sends no more. */
  #isEnded = false;

  static async connect(origin: Origin, owner: ConnectionOwner): Promise<Connection> {
    const { hostname, port, isSecure } = origin;
    const opening = Promise.withResolvers<Connection>();
    const data: Attached = { owner, opening, connection: null };
    const socket = isSecure ? { ...events, handshake } : { ...events, open };
    const tls = isSecure ? { tls: { rejectUnauthorized: verifiesPeers } } : {};
    Bun.connect<Attached>({ hostname, port, data, socket, ...tls }).catch(opening.reject);
    try {
      return await opening.promise;
    } catch (error) {
      throw connectFailure(origin, error);
    }
  }

  /** To be called by the socket's own events only: see connect(). */
  constructor(socket: Socket, owner: ConnectionOwner) {
    this.#socket = socket;
    this.#owner = owner;
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  /** Sends a request; nothing else may be under way. */
  async exchange(request: ExchangeRequest): Promise<ExchangeResponse> {
    assert(this.#exchange === null, "a connection carries one exchange at a time");
    if (!this.#isOpen) throw transportError(new TruncatedResponseError("before it was asked"));
    this.#socket.ref();
    const socket = this.#socket;
    this.#exchange = new Exchange(
      {
        write: (bytes) => socket.write(bytes),
        pause: () => void socket.pause(),
        resume: () => void socket.resume(),
        abort: () => this.close(),
      },
      request,
    );
    return await this.#exchange.response;
  }

  /** Closes at once: in the middle of an exchange with a reset, since nobody reads on. */
  close(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    if (this.#exchange === null) this.#socket.end();
    else this.#socket.terminate();
    this.#exchange = null;
    this.#owner.closed(this);
  }

  received(chunk: Uint8Array): void {
    if (!this.#isOpen) return;
    const exchange = this.#exchange;
    if (exchange === null) {
      // It answers no request: whoever sent it would take it for the answer to the next one.
      this.close();
      return;
    }
    exchange.received(chunk);
    if (exchange.isFinished) this.#finishExchange(exchange);
  }

  drained(): void {
    if (this.#isOpen) this.#exchange?.drained();
  }

  ended(): void {
    this.#isEnded = true;
  }

  lost(error: Error | null): void {
    const exchange = this.#exchange;
    this.#exchange = null;
    const wasOpen = this.#isOpen;
    this.#isOpen = false;
    if (!wasOpen) return;
    const isClean = error === null && this.#isEnded;
    exchange?.closed(isClean ? null : (error ?? new Error("the connection broke")));
    this.#owner.closed(this);
  }

  #finishExchange(exchange: Exchange): void {
    this.#exchange = null;
    if (!this.#isOpen) return;
    if (!exchange.mayReuse) {
      this.close();
      return;
    }
    this.idleSince = performance.now();
    this.#socket.unref();
    this.#owner.free(this);
  }
}

/** The runtime calls every failed attempt "Failed to connect", ECONNREFUSED. */
function connectFailure({ hostname, port }: Origin, error: unknown): Error {
  const code = error instanceof Error && "code" in error ? error.code : null;
  if (code !== "ECONNREFUSED") return transportError(error);
  const refusal = new Error(`Unable to connect to ${hostname} port ${port}`, { cause: error });
  return transportError(descriptorShortage() ?? Object.assign(refusal, { code }));
}

/** The error of opening a file when this process may open no more; null when it may. */
function descriptorShortage(): unknown {
  try {
    closeSync(openSync("/dev/null", "r"));
    return null;
  } catch (error) {
    return error;
  }
}

function open(socket: Socket): void {
  const { owner, opening } = socket.data;
  socket.setKeepAlive(true, backendProbeMs);
  socket.data.connection = new Connection(socket, owner);
  opening.resolve(socket.data.connection);
}

/** Certificate and name have been looked at by the runtime. */
function handshake(socket: Socket, isAuthorized: boolean, error: Error | null): void {
  if (isAuthorized || !verifiesPeers) open(socket);
  else socket.data.opening.reject(error ?? new Error("the TLS handshake failed"));
}

const events = {
  data(socket: Socket, chunk: Uint8Array) {
    socket.data.connection?.received(chunk);
  },
  drain(socket: Socket) {
    socket.data.connection?.drained();
  },
  end(socket: Socket) {
    socket.data.connection?.ended();
  },
  close(socket: Socket, error?: Error) {
    const { connection, opening } = socket.data;
    socket.data.connection = null;
    connection?.lost(error ?? null);
    opening.reject(error ?? new Error("the connection was closed while it was opened"));
  },
  error(_socket: Socket, error: Error) {
    // Thrown outside the socket's callback, where it would be swallowed.
    queueMicrotask(() => {
      throw error;
    });
  },
  connectError() {
    // The promise of Bun.connect rejects with the same error.
  },
};
