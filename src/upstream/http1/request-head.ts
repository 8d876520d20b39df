/**
 * The bytes of a request's head: request line and headers.
 *
 * Contract   nothing that a client wrote can end a line: what may not stand in its place is
 *            refused. Characters of the target beyond ASCII are percent-encoded as UTF-8; the rest
 *            goes out as it was written. Expect is never sent.
 * Reports    InvalidRequestError.
 * Not here   headers that a gateway must not pass on: the caller has left them out.
 */
import { assert } from "../../assert.ts";
import { InvalidRequestError } from "../../errors.ts";
import type { HeaderList } from "../../operation.ts";
import type { Origin } from "./origin.ts";

export interface RequestLine {
  readonly method: string;
  /** Raw path and query, from the slash behind the base path on. */
  readonly target: string;
  readonly headers: HeaderList;
}

/** Headers that say where a message goes and where it ends: only this file writes them. */
const ownHeaders: ReadonlySet<string> = new Set([
  "connection",
  "content-length",
  "expect",
  "host",
  "transfer-encoding",
]);

/** Methods of requests that have no body unless they say so (RFC 9110, 8.6). */
const bodilessMethods: ReadonlySet<string> = new Set(["GET", "HEAD", "DELETE", "OPTIONS", "TRACE"]);

const tokenPattern = /^[\w!#$%&'*+.^`|~-]+$/;
const targetPattern = /^\/[\x21-\x7e]*$/;
const valuePattern = /^[\t\x20-\x7e\x80-\xff]*$/;

export function requestHead(origin: Origin, request: RequestLine, bodyBytes: number): Uint8Array {
  const { method } = request;
  // CONNECT asks for a tunnel: its target has another form, its reply no body.
  if (!tokenPattern.test(method) || method === "CONNECT") refuse("method", method);
  const target = encodedTarget(`${origin.basePath}${request.target}`);
  let text = `${method} ${target} HTTP/1.1\r\nhost: ${origin.host}\r\n`;
  for (const [name, value] of request.headers) {
    assert(!ownHeaders.has(name), `the header ${name} is written by the client itself`);
    if (name === "authorization" && origin.authorization !== null) continue;
    if (!tokenPattern.test(name)) refuse("header name", name);
    if (!valuePattern.test(value)) refuse(`value of the header ${name}`, value);
    text += `${name}: ${value}\r\n`;
  }
  if (origin.authorization !== null) text += `authorization: ${origin.authorization}\r\n`;
  if (bodyBytes > 0 || !bodilessMethods.has(method)) text += `content-length: ${bodyBytes}\r\n`;
  return Buffer.from(`${text}\r\n`, "latin1");
}

function encodedTarget(target: string): string {
  const encoded = target.toWellFormed().replace(/[\u0080-\u{10ffff}]+/gu, encodeURIComponent);
  return targetPattern.test(encoded) ? encoded : refuse("path", target);
}

function refuse(what: string, text: string): never {
  throw new InvalidRequestError(`the backend cannot be sent the ${what} ${JSON.stringify(text)}`);
}
