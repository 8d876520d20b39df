/**
 * What a client that asked for server-sent events gets while its reply is not there yet: clients
 * and proxies take minutes of silence for a broken connection.
 *
 * Contract   texts in the format of text/event-stream, each event with its blank line. A stream
 *            that began so ends with the reply's own events, or with the protocol's event of a
 *            failure.
 */
export interface WaitingEvents {
  /** Begins the stream. */
  readonly opening: string;
  /** Sent again and again while the turn runs; says nothing new. */
  readonly keepAlive: string;
  /** Events of the opening with which the reply's own stream begins as well. */
  readonly eventsInOpening: number;
  /**
   * Ends the stream of a turn that failed.
   *
   * @param status that the client would have got
   */
  failure(status: number, sentence: string): string;
}

/** The rest of a stream whose first events were sent before. */
export function withoutEvents(stream: Uint8Array, count: number): Uint8Array {
  const bytes = Buffer.from(stream.buffer, stream.byteOffset, stream.byteLength);
  let start = 0;
  for (let left = count; left > 0; left--) {
    const end = bytes.indexOf("\n\n", start);
    if (end < 0) return bytes.subarray(bytes.length);
    start = end + 2;
  }
  return bytes.subarray(start);
}
