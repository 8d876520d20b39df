/**
 * One HTTP/1.1 response out of the bytes of its connection (RFC 9112). No I/O: chunks in; head,
 * pieces of the body and the end out.
 *
 * Contract   chunks may be cut anywhere. Interim responses (1xx) are skipped. Body bytes are never
 *            copied: a chunk that is all body is handed on as it is, a part of one as a view. Each
 *            byte is read once, and a body of known length is not read at all.
 *            head() comes once, then body() any number of times, then end() once; after a failure
 *            nothing comes any more.
 * Reports    MalformedResponseError as soon as no continuation could make the bytes a response, and
 *            TruncatedResponseError from close(); the parser is dead afterwards.
 * Limits     those of header-block.ts, response-head.ts and chunked-body.ts; none on the body.
 */
import { assert } from "../../assert.ts";
import { noBytes } from "../../bytes.ts";
import { type BodyFraming, bodyFraming } from "./body-framing.ts";
import { ChunkedBody } from "./chunked-body.ts";
import { HeaderBlockEnd } from "./header-block.ts";
import { MalformedResponseError } from "./malformed-response.ts";
import { parseResponseHead, type ResponseHead } from "./response-head.ts";
import { TruncatedResponseError } from "./truncated-response.ts";

export interface ResponseHandler {
  head(head: ResponseHead, framing: BodyFraming): void;
  /** The next bytes of the body, at least one. */
  body(bytes: Uint8Array): void;
  end(): void;
}

type State = "head" | "length" | "chunked" | "untilClose" | "complete" | "failed";

/** A peer that speaks something else is found out at its first bytes: it may wait for ours. */
const headStart = "HTTP/1.";

const switchingProtocols = 101;

export class ResponseParser {
  readonly #method: string;
  readonly #handler: ResponseHandler;
  #state: State = "head";
  #headEnd = new HeaderBlockEnd();
  /** The bytes of a head that came in several chunks; grows by doubling. */
  #heldHead = noBytes;
  readonly #chunked = new ChunkedBody();
  readonly #takeBody = (bytes: Uint8Array): void => this.#body(bytes);
  /** Bytes of a body of known length that are yet to come. */
  #missing = 0;
  #bodyBytes = 0;
  #hasSurplus = false;
  #hasStarted = false;

  /** @param method of the request, as it was sent */
  constructor(method: string, handler: ResponseHandler) {
    this.#method = method;
    this.#handler = handler;
  }

  /** Whether end() has been called. */
  get complete(): boolean {
    return this.#state === "complete";
  }

  /** Whether a byte of any response has arrived, be it an interim one. */
  get hasStarted(): boolean {
    return this.#hasStarted;
  }

  /** Whether bytes came behind the response: they answer no request. */
  get hasSurplus(): boolean {
    return this.#hasSurplus;
  }

  push(chunk: Uint8Array): void {
    assert(this.#state !== "failed", "a parser that failed takes no more");
    this.#hasStarted ||= chunk.length > 0;
    const state = this.#state;
    // Dead while it works: whatever is thrown on the way leaves it so.
    this.#state = "failed";
    this.#state = this.#parse(chunk, state);
  }

  /** The peer sends no more; `isClean` says whether it said so (FIN) or broke off (reset). */
  close(isClean: boolean): void {
    if (this.#state === "complete") return;
    const state = this.#state;
    this.#state = "failed";
    if (state !== "untilClose" || !isClean) throw this.#truncated(state);
    this.#end();
    this.#state = "complete";
  }

  #parse(chunk: Uint8Array, before: State): State {
    let state = before;
    let index = 0;
    while (index < chunk.length) {
      switch (state) {
        case "head": {
          const end = this.#findHeadEnd(chunk, index);
          if (end === -1) return state;
          state = this.#endHead(this.#takeHead(chunk, index, end));
          index = end;
          break;
        }
        case "length": {
          const end = Math.min(chunk.length, index + this.#missing);
          this.#missing -= end - index;
          this.#body(end - index === chunk.length ? chunk : chunk.subarray(index, end));
          index = end;
          if (this.#missing === 0) state = this.#end();
          break;
        }
        case "chunked":
          index = this.#chunked.read(chunk, index, this.#takeBody);
          if (this.#chunked.complete) state = this.#end();
          break;
        case "untilClose":
          this.#body(index === 0 ? chunk : chunk.subarray(index));
          return state;
        default:
          this.#hasSurplus = true;
          return state;
      }
    }
    return state;
  }

  #findHeadEnd(chunk: Uint8Array, at: number): number {
    const before = this.#headEnd.byteLength;
    const checked = Math.min(headStart.length - before, chunk.length - at);
    for (let index = 0; index < checked; index += 1) {
      if (chunk[at + index] === headStart.charCodeAt(before + index)) continue;
      const got = headStart.slice(0, before) + latin1(chunk.subarray(at));
      throw new MalformedResponseError('a status line like "HTTP/1.1 200 OK"', got);
    }
    const end = this.#headEnd.find(chunk, at);
    if (end === -1) this.#hold(chunk.subarray(at), before);
    return end;
  }

  /** The head's bytes, which end in this chunk. */
  #takeHead(chunk: Uint8Array, at: number, end: number): Uint8Array {
    const { byteLength } = this.#headEnd;
    const here = chunk.subarray(at, end);
    if (here.length === byteLength) return here;
    this.#hold(here, byteLength - here.length);
    return this.#heldHead.subarray(0, byteLength);
  }

  #hold(bytes: Uint8Array, heldBytes: number): void {
    const needed = heldBytes + bytes.length;
    if (needed > this.#heldHead.length) {
      const grown = new Uint8Array(2 * needed);
      grown.set(this.#heldHead.subarray(0, heldBytes));
      this.#heldHead = grown;
    }
    this.#heldHead.set(bytes, heldBytes);
  }

  #endHead(bytes: Uint8Array): State {
    const head = parseResponseHead(bytes);
    this.#headEnd = new HeaderBlockEnd();
    if (head.status < 200) {
      if (head.status !== switchingProtocols) return "head";
      throw new MalformedResponseError("an answer to a request without Upgrade", "101");
    }
    this.#heldHead = noBytes;
    const framing = bodyFraming(this.#method, head);
    this.#handler.head(head, framing);
    if (framing.kind !== "length") return framing.kind;
    this.#missing = framing.byteLength;
    return framing.byteLength === 0 ? this.#end() : "length";
  }

  #body(bytes: Uint8Array): void {
    this.#bodyBytes += bytes.length;
    this.#handler.body(bytes);
  }

  #end(): State {
    this.#handler.end();
    return "complete";
  }

  #truncated(state: State): TruncatedResponseError {
    if (!this.#hasStarted) return new TruncatedResponseError("before it answered");
    if (state === "head") return new TruncatedResponseError("in the middle of the headers");
    const received = `after ${this.#bodyBytes}`;
    if (state !== "length") return new TruncatedResponseError(`${received} bytes of the body`);
    const promised = this.#bodyBytes + this.#missing;
    return new TruncatedResponseError(`${received} of ${promised} bytes of the body`);
  }
}

function latin1(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString("latin1", 0, 100);
}
