/**
 * The beginning of a backend's error for the log: what a server says that is not the backend which
 * was meant, such as "Not Found" or a page of HTML.
 *
 * Contract   a reply comes back with its whole body, of which no more is read ahead than is quoted.
 *            Control characters end up escaped, here or by the log: a page is one line.
 * Limits     refusalCharactersLogged.
 */
import { refusalCharactersLogged } from "../limits.ts";
import type { UpstreamReply } from "../upstream/upstream-client.ts";

/** Control characters that the log, which escapes as JSON does, would write as they are. */
const notEscapedByJson = /[\x7f-\x9f]/g;

export interface BegunRefusal {
  /** Null for a status that is none of an error. */
  readonly beginning: string | null;
  readonly reply: UpstreamReply;
}

/** @throws UpstreamError for a body that breaks off before as much was read */
export async function beginningOfRefusal(reply: UpstreamReply): Promise<BegunRefusal> {
  if (reply.status >= 200 && reply.status < 300) return { beginning: null, reply };
  const rest = reply.body[Symbol.asyncIterator]();
  const read: Uint8Array[] = [];
  let byteLength = 0;
  // A character has a byte at least.
  while (byteLength <= refusalCharactersLogged) {
    const { done, value } = await rest.next();
    if (done === true) break;
    read.push(value);
    byteLength += value.byteLength;
  }
  const beginning = quoted(Buffer.concat(read).toString());
  return { beginning, reply: { ...reply, body: new BegunBody(read, rest) } };
}

function quoted(text: string): string {
  const trimmed = text.trim();
  if (trimmed === "") return "the backend says nothing of it";
  const cut = trimmed.slice(0, refusalCharactersLogged);
  const escaped = cut.replace(
    notEscapedByJson,
    (control) => `\\u00${control.charCodeAt(0).toString(16)}`,
  );
  return cut.length < trimmed.length ? `${escaped}…` : escaped;
}

/** Chunks that were read, then the rest. */
class BegunBody implements AsyncIterableIterator<Uint8Array> {
  readonly #read: Uint8Array[];
  readonly #rest: AsyncIterator<Uint8Array>;

  constructor(read: Uint8Array[], rest: AsyncIterator<Uint8Array>) {
    this.#read = read;
    this.#rest = rest;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  next(): Promise<IteratorResult<Uint8Array>> {
    const value = this.#read.shift();
    return value === undefined ? this.#rest.next() : Promise.resolve({ done: false, value });
  }

  async return(): Promise<IteratorResult<Uint8Array>> {
    this.#read.length = 0;
    await this.#rest.return?.();
    return { done: true, value: undefined };
  }
}
