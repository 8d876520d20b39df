/**
 * Push parser of HTTP/1.1 messages, for both ends of a benchmark: chunks in, heads and body slices
 * out, nothing copied and nothing kept but the head.
 *
 * Contract   messages come out in order, each with one `head`, any number of `body` and one `end`.
 *            Bodies are framed by Content-Length or chunked; a message with neither has none.
 * Reports    HttpSyntaxError; the reader is of no use afterwards.
 * Not here   bodies that end with the connection, upgrades, 1xx: no server under test sends them.
 */

export interface MessageHead {
  /** First line: "POST /path HTTP/1.1" or "HTTP/1.1 200 OK". */
  readonly startLine: string;
  /** The header's value; null when it is not there. */
  header(name: string): string | null;
}

export interface MessageHandlers {
  head(head: MessageHead): void;
  body(slice: Uint8Array): void;
  end(): void;
}

export class HttpSyntaxError extends Error {
  override readonly name = "HttpSyntaxError";
}

/** Bytes of a head: more than any peer sends. */
const headBytesMax = 64 * 1024;
/** Bytes of a chunk's size line, extensions included. */
const sizeLineBytesMax = 1024;

const headEnd = Buffer.from("\r\n\r\n");
const lineFeed = 0x0a;

/** data: in a body or a chunk. size, dataEnd, trailer: a line that ends with a line feed. */
type State = "head" | "data" | "size" | "dataEnd" | "trailer";

export class HttpMessageReader {
  readonly #handlers: MessageHandlers;
  #state: State = "head";
  #isChunked = false;
  #missingBytes = 0;
  /** The unfinished head or line. */
  #partial: Buffer = Buffer.alloc(0);

  constructor(handlers: MessageHandlers) {
    this.#handlers = handlers;
  }

  /** Whether a message has begun and not ended. */
  get isInside(): boolean {
    return this.#state !== "head" || this.#partial.length > 0;
  }

  push(chunk: Uint8Array): void {
    for (let at = 0; at < chunk.length; ) {
      if (this.#state === "data") at = this.#takeData(chunk, at);
      else if (this.#state === "head") at = this.#takeHead(chunk, at);
      else at = this.#takeLine(chunk, at);
    }
  }

  #takeData(chunk: Uint8Array, at: number): number {
    const end = Math.min(chunk.length, at + this.#missingBytes);
    this.#missingBytes -= end - at;
    this.#handlers.body(chunk.subarray(at, end));
    if (this.#missingBytes === 0) {
      if (this.#isChunked) this.#state = "dataEnd";
      else this.#endMessage();
    }
    return end;
  }

  #takeHead(chunk: Uint8Array, at: number): number {
    const seen = this.#partial.length;
    const rest = Buffer.from(chunk.buffer, chunk.byteOffset + at, chunk.length - at);
    const text = seen === 0 ? rest : Buffer.concat([this.#partial, rest]);
    const end = text.indexOf(headEnd);
    if (end < 0) {
      if (text.length > headBytesMax) throw new HttpSyntaxError("a head does not end");
      this.#partial = Buffer.from(text);
      return chunk.length;
    }
    this.#partial = Buffer.alloc(0);
    this.#beginMessage(text.toString("latin1", 0, end));
    return at + end + headEnd.length - seen;
  }

  #beginMessage(text: string): void {
    const head = new ParsedHead(text);
    this.#isChunked = /\bchunked\b/i.test(head.header("transfer-encoding") ?? "");
    const length = Number(head.header("content-length") ?? 0);
    if (!Number.isSafeInteger(length) || length < 0) {
      throw new HttpSyntaxError(`not a content-length: ${head.header("content-length")}`);
    }
    this.#handlers.head(head);
    if (this.#isChunked) {
      this.#state = "size";
    } else if (length > 0) {
      this.#missingBytes = length;
      this.#state = "data";
    } else {
      this.#endMessage();
    }
  }

  #takeLine(chunk: Uint8Array, at: number): number {
    const end = chunk.indexOf(lineFeed, at);
    const stop = end < 0 ? chunk.length : end + 1;
    const piece = chunk.subarray(at, stop);
    const line = this.#partial.length === 0 ? piece : Buffer.concat([this.#partial, piece]);
    if (line.length > sizeLineBytesMax) throw new HttpSyntaxError("a chunk's line does not end");
    if (end < 0) {
      this.#partial = Buffer.from(line);
      return stop;
    }
    this.#partial = Buffer.alloc(0);
    this.#endLine(Buffer.from(line).toString("latin1").trim());
    return stop;
  }

  #endLine(line: string): void {
    if (this.#state === "size") {
      const digits = /^[0-9a-f]+/i.exec(line)?.[0];
      if (digits === undefined) throw new HttpSyntaxError(`not a chunk size: ${line}`);
      this.#missingBytes = Number.parseInt(digits, 16);
      this.#state = this.#missingBytes === 0 ? "trailer" : "data";
    } else if (this.#state === "dataEnd") {
      if (line !== "") throw new HttpSyntaxError("a chunk is longer than its size");
      this.#state = "size";
    } else if (line === "") {
      this.#endMessage();
    }
  }

  #endMessage(): void {
    this.#state = "head";
    this.#handlers.end();
  }
}

class ParsedHead implements MessageHead {
  readonly startLine: string;
  readonly #text: string;
  #lowerCase: string | null = null;

  constructor(text: string) {
    const end = text.indexOf("\r\n");
    this.startLine = end < 0 ? text : text.slice(0, end);
    this.#text = end < 0 ? "" : text.slice(end);
  }

  header(name: string): string | null {
    this.#lowerCase ??= this.#text.toLowerCase();
    const start = this.#lowerCase.indexOf(`\r\n${name}:`);
    if (start < 0) return null;
    const valueStart = start + name.length + 3;
    const end = this.#text.indexOf("\r\n", valueStart);
    return this.#text.slice(valueStart, end < 0 ? undefined : end).trim();
  }
}
