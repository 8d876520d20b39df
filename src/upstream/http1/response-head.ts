/**
 * The head of a response: status line and headers out of their bytes.
 *
 * Contract   names are lower-case, values are latin1 without the white space around them, repeated
 *            headers stay apart and in order.
 * Reports    MalformedResponseError: anything but HTTP/1.0 or 1.1, a status outside 100 to 599, a
 *            name that is no token, a control character in a value, a folded line (RFC 9112, 5.2,
 *            lets a gateway refuse it), more than backendHeaderCountMax headers.
 */
import { backendHeaderCountMax } from "../../limits.ts";
import type { HeaderList } from "../../operation.ts";
import { MalformedResponseError } from "./malformed-response.ts";

export interface ResponseHead {
  readonly status: number;
  /** 0 or 1: the digit behind "HTTP/1.". */
  readonly minorVersion: number;
  readonly headers: HeaderList;
}

const statusLinePattern = /^HTTP\/1\.([01]) ([1-5]\d\d)(?: .*)?$/;
/** RFC 9110, 5.6.2: what a header name is made of. */
const tokenPattern = /^[\w!#$%&'*+.^`|~-]+$/;
/** RFC 9110, 5.5: no control characters but the tab. */
const linePattern = /^[\t\x20-\x7e\x80-\xff]*$/;

/** @param bytes everything up to and including the blank line */
export function parseResponseHead(bytes: Uint8Array): ResponseHead {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length - 4).toString("latin1");
  const [statusLine = "", ...lines] = text.split("\r\n");
  const match = statusLinePattern.exec(statusLine);
  if (match === null) {
    throw new MalformedResponseError('a status line like "HTTP/1.1 200 OK"', statusLine);
  }
  if (lines.length > backendHeaderCountMax) {
    throw new MalformedResponseError(`at most ${backendHeaderCountMax} headers`, `${lines.length}`);
  }
  return {
    status: Number(match[2]),
    minorVersion: Number(match[1]),
    headers: lines.map(parseHeaderLine),
  };
}

function parseHeaderLine(line: string): [name: string, value: string] {
  const colon = line.indexOf(":");
  const name = line.slice(0, Math.max(colon, 0));
  if (!tokenPattern.test(name)) throw new MalformedResponseError("a header name and a colon", line);
  if (!linePattern.test(line)) {
    throw new MalformedResponseError("a header without control characters", line);
  }
  return [name.toLowerCase(), trimmed(line, colon + 1)];
}

/** Without spaces and tabs around it, the only white space there is in headers. */
function trimmed(line: string, from: number): string {
  let start = from;
  let end = line.length;
  while (start < end && isBlank(line.charCodeAt(start))) start += 1;
  while (end > start && isBlank(line.charCodeAt(end - 1))) end -= 1;
  return line.slice(start, end);
}

function isBlank(character: number): boolean {
  return character === 0x20 || character === 0x09;
}
