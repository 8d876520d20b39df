/**
 * One request and its response on a connection that carries nothing else meanwhile.
 *
 * Contract   `response` resolves with the head, as soon as it is there; the body follows as it
 *            arrives. The request is written as fast as the connection takes it, while the
 *            response is read: a server may answer before it has seen the whole request. An answer
 *            of 400 and above ends the sending, since the server wants no more.
 *            Each chunk of the body is memory of its own: a chunk that holds framing as well is
 *            copied and freed at once, which is cheaper than garbage that keeps it alive.
 *            When `isFinished`, the connection is free: for another exchange if `mayReuse`, else
 *            to be closed.
 * Reports    UpstreamError, by `response` before the head and by the body after it.
 */
import { concatBytes, freeBytes } from "../../bytes.ts";
import { transportError } from "../transport-error.ts";
import type { BodyFraming } from "./body-framing.ts";
import { keepsConnection } from "./body-framing.ts";
import { MalformedResponseError } from "./malformed-response.ts";
import { ResponseBody } from "./response-body.ts";
import type { ResponseHead } from "./response-head.ts";
import { type ResponseHandler, ResponseParser } from "./response-parser.ts";
import { TruncatedResponseError } from "./truncated-response.ts";

export interface ExchangeRequest {
  readonly method: string;
  readonly head: Uint8Array;
  /** Must not change until the exchange is finished. */
  readonly body: Uint8Array;
}

export interface ExchangeResponse {
  readonly head: ResponseHead;
  readonly framing: BodyFraming;
  /** Must be read to its end, or its iterator's return() called. */
  readonly body: AsyncIterable<Uint8Array>;
}

/** What an exchange needs of its connection. */
export interface ExchangeTransport {
  /** Offers bytes; returns how many were taken, -1 when closed. Never buffers. */
  write(bytes: Uint8Array): number;
  pause(): void;
  resume(): void;
  /** Closes at once; the exchange is told nothing more. */
  abort(): void;
}

/** A body up to this goes out with its head in one write: a copy costs less than a packet. */
const joinedBodyBytesMax = 64 * 1024;
/** Bytes offered in one write: more than any socket takes. */
const writeBytesMax = 1024 * 1024;
const clientError = 400;

export class Exchange implements ResponseHandler {
  readonly #transport: ExchangeTransport;
  readonly #parser: ResponseParser;
  readonly #response = Promise.withResolvers<ExchangeResponse>();
  readonly #body: ResponseBody;
  /** The chunk that is being parsed; null when it was handed on as a whole. */
  #chunk: Uint8Array | null = null;
  /** Pieces of the body in that chunk. */
  #pieces: Uint8Array[] = [];
  /** What is still to be written: head and body, or the two in one. */
  #unsent: Uint8Array[];
  /** Whether the request is not sent to its end because the server has answered. */
  #isCutShort = false;
  #keepsConnection = false;
  #hasHead = false;
  #isFinished = false;

  constructor(transport: ExchangeTransport, { method, head, body }: ExchangeRequest) {
    this.#transport = transport;
    this.#parser = new ResponseParser(method, this);
    this.#body = new ResponseBody({
      pause: () => transport.pause(),
      resume: () => transport.resume(),
      cancel: () => this.#cancel(),
    });
    const isJoined = body.length <= joinedBodyBytesMax;
    this.#unsent = isJoined ? [concatBytes([head, body], head.length + body.length)] : [head, body];
    this.#write();
  }

  get response(): Promise<ExchangeResponse> {
    return this.#response.promise;
  }

  get isFinished(): boolean {
    return this.#isFinished;
  }

  get mayReuse(): boolean {
    const isClean = this.#parser.complete && !this.#parser.hasSurplus;
    return isClean && this.#keepsConnection && !this.#isCutShort && this.#unsent.length === 0;
  }

  /** The chunk is this exchange's from now on. */
  received(chunk: Uint8Array): void {
    this.#chunk = chunk;
    try {
      this.#parser.push(chunk);
      this.#passPieces();
    } catch (error) {
      if (!(error instanceof MalformedResponseError)) throw error;
      this.#fail(error);
    }
    if (this.#chunk !== null) freeBytes(this.#chunk);
    this.#chunk = null;
  }

  /** There is room again after a short write. */
  drained(): void {
    this.#write();
  }

  /** The connection is gone; `error` when it broke instead of being closed by the peer. */
  closed(error: Error | null): void {
    if (this.#isFinished) return;
    try {
      this.#parser.close(error === null);
    } catch (failure) {
      if (!(failure instanceof TruncatedResponseError)) throw failure;
      this.#fail(failure);
    }
  }

  head(head: ResponseHead, framing: BodyFraming): void {
    this.#hasHead = true;
    this.#keepsConnection = keepsConnection(head);
    if (head.status >= clientError && this.#unsent.length > 0) {
      this.#unsent = [];
      this.#isCutShort = true;
    }
    this.#response.resolve({ head, framing, body: this.#body });
  }

  body(bytes: Uint8Array): void {
    if (bytes !== this.#chunk) {
      this.#pieces.push(bytes);
      return;
    }
    this.#chunk = null;
    this.#body.push(bytes);
  }

  end(): void {
    this.#isFinished = true;
    this.#passPieces();
    this.#body.end();
  }

  /** Passes on what a chunk holds of the body besides framing. */
  #passPieces(): void {
    if (this.#pieces.length === 0) return;
    const byteLength = this.#pieces.reduce((sum, { length }) => sum + length, 0);
    this.#body.push(concatBytes(this.#pieces, byteLength));
    this.#pieces = [];
  }

  #write(): void {
    for (;;) {
      const [next] = this.#unsent;
      if (next === undefined) return;
      const offered = next.length > writeBytesMax ? next.subarray(0, writeBytesMax) : next;
      const taken = this.#transport.write(offered);
      // Closed: what the server has said before that is still to be read.
      if (taken < 0) return;
      if (taken === next.length) this.#unsent.shift();
      else this.#unsent[0] = next.subarray(taken);
      if (taken < offered.length) return;
    }
  }

  #fail(error: Error): void {
    this.#isFinished = true;
    this.#passPieces();
    const failure = transportError(error);
    if (this.#hasHead) this.#body.fail(failure);
    else this.#response.reject(failure);
  }

  #cancel(): void {
    this.#isFinished = true;
    this.#transport.abort();
  }
}
