/**
 * Tickets for the records of one session: what lets a client in that was sent to their owner.
 *
 * Contract   a ticket opens GET /sessions/{id} of the session it was made for, for recordsTicketMs,
 *            to whoever holds it, in every process that knows the server's token; it tells nothing
 *            of that token. Compared in constant time.
 * Why so     HTTP clients drop Authorization when a redirect leads to another port, so the address
 *            that they are sent to has to carry the permission itself.
 */
import { createHmac, timingSafeEqual } from "node:crypto";
import { recordsTicketMs } from "../limits.ts";

export class RecordsTickets {
  readonly #token: string;

  /** @param token of the server */
  constructor(token: string) {
    this.#token = token;
  }

  /** The query of an address for the session's records, without its question mark. */
  queryFor(sessionId: string, nowMs: number): string {
    const expiry = String(nowMs + recordsTicketMs);
    return `ticket=${expiry}.${this.#signature(sessionId, expiry).toString("hex")}`;
  }

  /** @param query of the request, without its question mark */
  admits(sessionId: string, query: string, nowMs: number): boolean {
    const [, expiry, signature] = /^ticket=(\d{1,15})\.([\da-f]{64})$/.exec(query) ?? [];
    if (expiry === undefined || signature === undefined || Number(expiry) < nowMs) return false;
    return timingSafeEqual(Buffer.from(signature, "hex"), this.#signature(sessionId, expiry));
  }

  /** The expiry comes first and has no line end, so that no two pairs sign the same text. */
  #signature(sessionId: string, expiry: string): Buffer {
    return createHmac("sha256", this.#token).update(`${expiry}\n${sessionId}`).digest();
  }
}
