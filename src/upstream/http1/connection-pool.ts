/**
 * Connections to one backend: idle ones are used again, for a moment.
 *
 * Contract   no request is sent twice, and none fails for a connection that the backend has closed
 *            as long as that can be known: the close event drops an idle connection at once; one
 *            that idled for idleMsMax is closed, before any usual server would; and before use the
 *            event loop polls once, so that a close which lay unread is seen. What stays is a close
 *            that crosses the request on the wire. Then the request may have been taken up, and
 *            sampling twice is worse than an error that the agent can retry: it fails.
 *            Any number of connections: each request that finds no idle one gets its own.
 */
import { Connection, type ConnectionOwner } from "./connection.ts";
import type { Origin } from "./origin.ts";

/**
 * Milliseconds that an unused connection is kept: half of what gunicorn allows, the least patient
 * of the usual servers (2 s; uvicorn and Node 5 s, nginx 75 s).
 */
export const idleMsMax = 1_000;

export class ConnectionPool implements ConnectionOwner {
  readonly #origin: Origin;
  /** The one that idles longest first. */
  #idle: Connection[] = [];
  #sweepTimer: ReturnType<typeof setTimeout> | null = null;

  constructor(origin: Origin) {
    this.#origin = origin;
  }

  /** An open connection without an exchange, which is the caller's; UpstreamError. */
  async acquire(): Promise<Connection> {
    while (this.#idle.length > 0) {
      const connection = this.#takeIdle();
      if (connection === null) break;
      await eventLoopPolled();
      if (connection.isOpen) return connection;
    }
    return await Connection.connect(this.#origin, this);
  }

  free(connection: Connection): void {
    this.#idle.push(connection);
    this.#sweepTimer ??= this.#startSweepTimer();
  }

  closed(connection: Connection): void {
    const index = this.#idle.lastIndexOf(connection);
    if (index !== -1) this.#idle.splice(index, 1);
  }

  /** Closes what is idle. */
  close(): void {
    for (const connection of [...this.#idle]) connection.close();
  }

  /** The most recently used one: it is the least likely to be closed by the backend now. */
  #takeIdle(): Connection | null {
    const connection = this.#idle.pop();
    if (connection === undefined) return null;
    if (performance.now() - connection.idleSince < idleMsMax) return connection;
    connection.close();
    this.#sweep();
    return null;
  }

  #startSweepTimer(): ReturnType<typeof setTimeout> {
    const timer = setTimeout(() => {
      this.#sweepTimer = null;
      this.#sweep();
      if (this.#idle.length > 0) this.#sweepTimer = this.#startSweepTimer();
    }, idleMsMax);
    timer.unref();
    return timer;
  }

  #sweep(): void {
    const now = performance.now();
    for (const connection of [...this.#idle]) {
      if (now - connection.idleSince >= idleMsMax) connection.close();
    }
  }
}

/**
 * Resolves after the sockets have been polled. The first immediate runs before the next poll, the
 * second behind it.
 */
function eventLoopPolled(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(() => setImmediate(resolve));
  });
}
