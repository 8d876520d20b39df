/**
 * HTTP/1.1 requests out of the bytes of one connection. No I/O: chunks in, whole requests out.
 *
 * Contract   `push` returns the requests that the chunk completed, in order; chunks may end
 *            anywhere. Header names are lower-case, repeated headers are joined with ", ".
 * Reports    `HttpSyntaxError` on anything that is no HTTP request; the connection is then useless.
 * Limits     `headBytesMax`, and requestBodyBytesMax of limits.ts.
 * Not here   trailers (skipped), Expect: 100-continue (clients send the body after a moment).
 */
import { requestBodyBytesMax } from "../limits.ts";

const headBytesMax = 64 * 1024;

export interface HttpRequest {
  readonly method: string;
  /** Raw path without the query. */
  readonly path: string;
  /** Raw query string without "?"; empty when there is none. */
  readonly query: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}

export class HttpSyntaxError extends Error {
  override readonly name = "HttpSyntaxError";
}

type Head = Omit<HttpRequest, "body">;
type State =
  | { at: "head" }
  | { at: "body"; head: Head; body: Uint8Array; filled: number }
  | { at: "chunk-size"; head: Head; pieces: Uint8Array[]; bytes: number }
  | { at: "chunk"; head: Head; pieces: Uint8Array[]; bytes: number; missing: number }
  | { at: "trailer"; head: Head; pieces: Uint8Array[] };

export class HttpRequestReader {
  #state: State = { at: "head" };
  /** Bytes that were received and not yet understood. */
  #rest: Uint8Array = new Uint8Array(0);

  /** @throws HttpSyntaxError */
  push(chunk: Uint8Array): HttpRequest[] {
    this.#rest = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk]);
    const requests: HttpRequest[] = [];
    for (let progress = true; progress; ) progress = this.#step(requests);
    return requests;
  }

  /** Understands one more part of what is there; false when it must wait for more bytes. */
  #step(requests: HttpRequest[]): boolean {
    const state = this.#state;
    switch (state.at) {
      case "head":
        return this.#readHead();
      case "body": {
        const piece = this.#take(state.body.length - state.filled);
        state.body.set(piece, state.filled);
        state.filled += piece.length;
        if (state.filled < state.body.length) return false;
        return this.#finish(requests, state.head, state.body);
      }
      case "chunk-size":
        return this.#readChunkSize(state);
      case "chunk": {
        const piece = this.#take(state.missing);
        if (piece.length === 0) return false;
        // The two bytes of CRLF after the data come as part of the chunk and are cut off here.
        const dataBytes = Math.max(0, Math.min(piece.length, state.missing - 2));
        if (dataBytes > 0) state.pieces.push(piece.subarray(0, dataBytes));
        state.missing -= piece.length;
        if (state.missing === 0) this.#state = { ...state, at: "chunk-size" };
        return true;
      }
      case "trailer": {
        const line = this.#line();
        if (line === null) return false;
        if (line !== "") return true;
        return this.#finish(requests, state.head, Buffer.concat(state.pieces));
      }
    }
  }

  #readHead(): boolean {
    const end = Buffer.from(this.#rest.buffer, this.#rest.byteOffset, this.#rest.length).indexOf(
      "\r\n\r\n",
    );
    if (end > headBytesMax || (end === -1 && this.#rest.length > headBytesMax)) {
      throw new HttpSyntaxError(`request head of more than ${headBytesMax} bytes`);
    }
    if (end === -1) return false;
    const head = parseHead(Buffer.from(this.#take(end + 4)).toString("latin1", 0, end));
    if (head.headers["transfer-encoding"]?.toLowerCase() === "chunked") {
      this.#state = { at: "chunk-size", head, pieces: [], bytes: 0 };
      return true;
    }
    const length = Number(head.headers["content-length"] ?? 0);
    checkBodyLength(length);
    this.#state = { at: "body", head, body: new Uint8Array(length), filled: 0 };
    return true;
  }

  #readChunkSize(state: Extract<State, { at: "chunk-size" }>): boolean {
    const line = this.#line();
    if (line === null) return false;
    const size = Number.parseInt(line, 16);
    checkBodyLength(state.bytes + size);
    const { head, pieces } = state;
    this.#state =
      size === 0
        ? { at: "trailer", head, pieces }
        : { at: "chunk", head, pieces, bytes: state.bytes + size, missing: size + 2 };
    return true;
  }

  #finish(requests: HttpRequest[], head: Head, body: Uint8Array): true {
    requests.push({ ...head, body });
    this.#state = { at: "head" };
    return true;
  }

  #take(bytesMax: number): Uint8Array {
    const piece = this.#rest.subarray(0, bytesMax);
    this.#rest = this.#rest.subarray(piece.length);
    return piece;
  }

  /** The next line without its CRLF, or null while it is incomplete. */
  #line(): string | null {
    const end = this.#rest.indexOf(0x0a);
    if (end === -1 && this.#rest.length > headBytesMax) throw new HttpSyntaxError("endless line");
    if (end === -1) return null;
    return Buffer.from(this.#take(end + 1))
      .toString("latin1")
      .trimEnd();
  }
}

function checkBodyLength(length: number): void {
  if (Number.isSafeInteger(length) && length >= 0 && length <= requestBodyBytesMax) return;
  throw new HttpSyntaxError(`unusable body length ${length}`);
}

function parseHead(text: string): Head {
  const [requestLine = "", ...headerLines] = text.split("\r\n");
  const match = /^([A-Z]+) (\S+) HTTP\/1\.[01]$/.exec(requestLine);
  if (match === null) throw new HttpSyntaxError(`not a request: ${JSON.stringify(requestLine)}`);
  const [, method = "", target = ""] = match;
  const [path = "", ...query] = target.split("?");
  const headers: Record<string, string> = Object.create(null);
  for (const line of headerLines) {
    const colon = line.indexOf(":");
    if (colon < 1) throw new HttpSyntaxError(`not a header: ${JSON.stringify(line)}`);
    const name = line.slice(0, colon).toLowerCase();
    const value = line.slice(colon + 1).trim();
    headers[name] = headers[name] === undefined ? value : `${headers[name]}, ${value}`;
  }
  return { method, path, query: query.join("?"), headers };
}
