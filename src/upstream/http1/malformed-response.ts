/**
 * What a backend sent is not HTTP/1.1: data from a peer, reported with what was expected.
 *
 * Contract   `code` is the system's word for it (EPROTO), so that it reads like other failures of a
 *            connection; the message quotes at most a line of what came.
 */
import { malformedCharactersQuoted } from "../../limits.ts";

export class MalformedResponseError extends Error {
  override readonly name = "MalformedResponseError";
  readonly code = "EPROTO";

  /** @param got the bytes as they came, one character each; cut and escaped here */
  constructor(expected: string, got: string) {
    const isLong = got.length > malformedCharactersQuoted;
    const cut = isLong ? `${got.slice(0, malformedCharactersQuoted)}...` : got;
    super(`malformed response: expected ${expected}, got ${JSON.stringify(cut)}`);
  }
}
