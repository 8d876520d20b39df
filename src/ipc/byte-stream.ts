// spec: docs/ipc-protocol.md, "Transport"
/**
 * What the protocol needs of a connection, so that it runs on a Unix socket (unix-socket.ts) and,
 * in tests, on memory.
 */

export interface ByteStream {
  /**
   * Offers bytes; returns how many were taken. 0 means full: wait for `drained`. -1 means closed.
   * Nothing is buffered beyond what was taken, and taken bytes are delivered unless the peer dies:
   * the array is the caller's again when the call returns.
   */
  write(bytes: Uint8Array): number;
  /**
   * No `received` until `resume`; the peer's writes run full. A paused stream may not see that its
   * peer closes.
   */
  pause(): void;
  resume(): void;
  /** Closes both directions. `closed` is still called, once. */
  close(): void;
}

/** What the owner of a byte stream is told. */
export interface ByteStreamHandlers {
  /** The chunk is the receiver's: it is never written to again. */
  received(chunk: Uint8Array): void;
  /** There is room again after a short write. */
  drained(): void;
  /** The stream is gone, by either side. Called once, and nothing after it. */
  closed(error: Error | null): void;
}

/** Makes the owner of a stream that was just opened. */
export type ByteStreamOwner<Owner extends ByteStreamHandlers> = (stream: ByteStream) => Owner;
