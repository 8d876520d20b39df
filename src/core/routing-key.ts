/**
 * The header by which a gateway in front of several engines keeps a session on one of them, where
 * its prefix is cached: SGLang's model gateway reads it.
 *
 * Contract   every request of a session carries it; its value is the server's word, whatever a
 *            client sent under that name.
 */
import type { HeaderList } from "../operation.ts";

const routingKeyHeader = "x-smg-routing-key";

export function withRoutingKey(headers: HeaderList, sessionId: string): HeaderList {
  return [
    ...headers.filter(([name]) => name !== routingKeyHeader),
    [routingKeyHeader, headerValue(sessionId)],
  ];
}

/** A client may relay under any name: one that is no header value is escaped. */
function headerValue(sessionId: string): string {
  const isPlain = /^[\x21-\x7e]+$/.test(sessionId);
  return isPlain ? sessionId : encodeURIComponent(sessionId.toWellFormed());
}
