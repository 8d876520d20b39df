/**
 * An HTTP/1.1 client that costs as little as a client can: one kept connection, prepared request
 * bytes, reply bytes handed on or dropped as they come.
 *
 * Contract   one request at a time; the connection is opened when it is needed and kept. A failure
 *            is a RequestError of some kind and leaves the client usable: the next request opens a
 *            new connection. Nothing is ever sent twice.
 * Limits     silentMsMax without a byte from the server fails a request.
 */
import type { Socket } from "bun";
import { HttpMessageReader, type MessageHead } from "../wire/message-reader.ts";
import { SliceWriter } from "../wire/slice-writer.ts";

export interface HttpRequest {
  readonly method: string;
  readonly path: string;
  /** Lines without line ends. */
  readonly headers: readonly string[];
  readonly body: readonly Uint8Array[];
}

export interface HttpReply {
  readonly status: number;
  readonly head: MessageHead;
  readonly bodyBytes: number;
}

/** Why a request failed, in few words: failures are counted by it. */
export class RequestError extends Error {
  override readonly name = "RequestError";
  readonly kind: string;

  constructor(kind: string) {
    super(kind);
    this.kind = kind;
  }
}

/** Milliseconds after which a silent server has failed; longer than any model's think time here. */
const silentMsMax = 120_000;
const silenceCheckMs = 5_000;

interface Exchange {
  readonly onBody: (slice: Uint8Array) => void;
  readonly resolve: (reply: HttpReply) => void;
  readonly reject: (error: RequestError) => void;
}

export class HttpClient {
  readonly #url: URL;
  #connection: Connection | null = null;

  constructor(url: string) {
    this.#url = new URL(url);
  }

  /** @throws RequestError */
  async send(
    request: HttpRequest,
    onBody: (slice: Uint8Array) => void = () => {},
  ): Promise<HttpReply> {
    if (this.#connection === null || this.#connection.isClosed) {
      this.#connection = await connect(this.#url);
    }
    return this.#connection.exchange(request, onBody);
  }

  close(): void {
    this.#connection?.close("closed by the client");
    this.#connection = null;
  }
}

async function connect(url: URL): Promise<Connection> {
  try {
    const socket = await Bun.connect<Connection>({
      hostname: url.hostname,
      port: Number(url.port || 80),
      socket: {
        open(opened) {
          opened.data = new Connection(opened, url.host);
        },
        data: (opened, chunk) => opened.data.receive(chunk),
        drain: (opened) => opened.data.drained(),
        close: (opened) => opened.data?.close("connection closed"),
        error: (opened, error) => opened.data?.close(`connection error ${codeOf(error)}`),
      },
    });
    return socket.data;
  } catch (error) {
    throw new RequestError(`cannot connect: ${codeOf(error)}`);
  }
}

function codeOf(error: unknown): string {
  const hasCode = error instanceof Error && "code" in error && typeof error.code === "string";
  return hasCode ? String(error.code) : String(error);
}

class Connection {
  readonly #socket: Socket<Connection>;
  readonly #host: string;
  readonly #writer: SliceWriter<Connection>;
  readonly #reader: HttpMessageReader;
  #exchange: Exchange | null = null;
  #head: MessageHead | null = null;
  #bodyBytes = 0;
  #heardAt = 0;
  #silenceTimer: Timer | null = null;
  isClosed = false;

  constructor(socket: Socket<Connection>, host: string) {
    this.#socket = socket;
    this.#host = host;
    this.#writer = new SliceWriter(socket);
    this.#reader = new HttpMessageReader({
      head: (head) => {
        this.#head = head;
      },
      body: (slice) => {
        this.#bodyBytes += slice.length;
        this.#exchange?.onBody(slice);
      },
      end: () => this.#finish(),
    });
  }

  exchange(request: HttpRequest, onBody: (slice: Uint8Array) => void): Promise<HttpReply> {
    const byteLength = request.body.reduce((sum, slice) => sum + slice.length, 0);
    const lines = [
      `${request.method} ${request.path} HTTP/1.1`,
      `host: ${this.#host}`,
      ...request.headers,
      `content-length: ${byteLength}`,
    ];
    const head = Buffer.from(`${lines.join("\r\n")}\r\n\r\n`, "latin1");
    this.#bodyBytes = 0;
    this.#heardAt = performance.now();
    this.#silenceTimer ??= setInterval(() => this.#checkSilence(), silenceCheckMs);
    return new Promise((resolve, reject) => {
      this.#exchange = { onBody, resolve, reject };
      void this.#writer.write([head, ...request.body]);
    });
  }

  receive(chunk: Uint8Array): void {
    this.#heardAt = performance.now();
    try {
      this.#reader.push(chunk);
    } catch {
      this.close("reply is no HTTP");
    }
  }

  drained(): void {
    this.#writer.drained();
  }

  close(reason: string): void {
    if (this.isClosed) return;
    this.isClosed = true;
    if (this.#silenceTimer !== null) clearInterval(this.#silenceTimer);
    this.#writer.closed();
    this.#socket.terminate();
    const broken = this.#reader.isInside ? `${reason} within a reply` : reason;
    this.#exchange?.reject(new RequestError(broken));
    this.#exchange = null;
  }

  #checkSilence(): void {
    if (this.#exchange !== null && performance.now() - this.#heardAt > silentMsMax) {
      this.close(`no byte for ${silentMsMax / 1000} s`);
    }
  }

  #finish(): void {
    const head = this.#head;
    const exchange = this.#exchange;
    if (head === null || exchange === null) {
      this.close("reply without a request");
      return;
    }
    this.#exchange = null;
    const status = Number(head.startLine.split(" ")[1]);
    if (/\bclose\b/i.test(head.header("connection") ?? "")) this.close("closed as announced");
    exchange.resolve({ status, head, bodyBytes: this.#bodyBytes });
  }
}
