/**
 * The chunked transfer coding (RFC 9112, 7.1), resumable at any byte.
 *
 * Contract   read() hands on the data between the framing as views of what came in. Extensions are
 *            skipped, trailers are read and dropped.
 * Reports    MalformedResponseError: a size that is no hexadecimal number below 2^53, data without
 *            CRLF behind it, an extension beyond chunkExtensionBytesMax, trailers as
 *            header-block.ts.
 */
import { chunkExtensionBytesMax } from "../../limits.ts";
import { HeaderBlockEnd } from "./header-block.ts";
import { MalformedResponseError } from "./malformed-response.ts";

type State =
  | "size"
  | "extension"
  | "endOfSize"
  | "data"
  | "carriageReturn"
  | "endOfData"
  | "trailers"
  | "complete";

const carriageReturn = 0x0d;
const lineFeed = 0x0a;

export class ChunkedBody {
  #state: State = "size";
  /** Value of the size line so far, then the bytes of data that are yet to come. */
  #size = 0;
  #hasDigit = false;
  #extensionBytes = 0;
  readonly #trailers = new HeaderBlockEnd();

  get complete(): boolean {
    return this.#state === "complete";
  }

  /** Reads on at `at`, up to the end of the chunk or of the body; returns the index after it. */
  read(chunk: Uint8Array, at: number, take: (bytes: Uint8Array) => void): number {
    let index = at;
    while (index < chunk.length && this.#state !== "complete") {
      if (this.#state === "data") {
        const end = Math.min(chunk.length, index + this.#size);
        this.#size -= end - index;
        if (this.#size === 0) this.#state = "carriageReturn";
        take(end - index === chunk.length ? chunk : chunk.subarray(index, end));
        index = end;
      } else if (this.#state === "trailers") {
        const end = this.#trailers.find(chunk, index);
        if (end === -1) return chunk.length;
        this.#state = "complete";
        index = end;
      } else {
        this.#frame(chunk[index] as number);
        index += 1;
      }
    }
    return index;
  }

  /** One byte between the data. */
  #frame(byte: number): void {
    switch (this.#state) {
      case "size":
        this.#readSize(byte);
        return;
      case "extension":
        if (byte === carriageReturn) this.#state = "endOfSize";
        else if (byte === lineFeed) this.#fail("CRLF behind a chunk size", byte);
        else this.#extensionBytes += 1;
        if (this.#extensionBytes > chunkExtensionBytesMax) {
          this.#fail(`a chunk extension of at most ${chunkExtensionBytesMax} bytes`, byte);
        }
        return;
      case "endOfSize":
        if (byte !== lineFeed) this.#fail("CRLF behind a chunk size", byte);
        this.#state = this.#size === 0 ? "trailers" : "data";
        return;
      case "carriageReturn":
        if (byte !== carriageReturn) this.#fail("CRLF behind the data of a chunk", byte);
        this.#state = "endOfData";
        return;
      default:
        if (byte !== lineFeed) this.#fail("CRLF behind the data of a chunk", byte);
        this.#state = "size";
        this.#size = 0;
        this.#hasDigit = false;
        this.#extensionBytes = 0;
    }
  }

  #readSize(byte: number): void {
    const digit = hexDigit(byte);
    if (digit !== -1) {
      this.#size = this.#size * 16 + digit;
      this.#hasDigit = true;
      if (!Number.isSafeInteger(this.#size)) this.#fail("a chunk size below 2^53", byte);
    } else if (!this.#hasDigit) {
      this.#fail("a hexadecimal chunk size", byte);
    } else if (byte === carriageReturn) {
      this.#state = "endOfSize";
    } else if (byte === 0x3b || byte === 0x20 || byte === 0x09) {
      // White space before the extension is an error of old that recipients are to read over.
      this.#state = "extension";
    } else {
      this.#fail("a hexadecimal chunk size", byte);
    }
  }

  #fail(expected: string, byte: number): never {
    throw new MalformedResponseError(expected, String.fromCharCode(byte));
  }
}

/** 0 to 15, or -1. */
function hexDigit(byte: number): number {
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30;
  const lower = byte | 0x20;
  return lower >= 0x61 && lower <= 0x66 ? lower - 0x61 + 10 : -1;
}
