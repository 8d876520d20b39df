/**
 * Connections to one backend: idle ones are used again, for a moment.
 *
 * Contract   no request is sent twice, and none fails for a connection that the backend has closed
 *            as long as that can be known: the close event drops an idle connection at once; one
 *            that idled for backendIdleMs is closed, before any usual server would; and before use
 *            the event loop polls once, so that a close which lay unread is seen. What stays is a
 *            close that crosses the request on the wire. Then the request may have been taken up,
 *            and sampling twice is worse than an error that the agent can retry: it fails.
 *            Any number of connections: each request that finds no idle one gets its own.
 */
import { backendIdleMs } from "../../limits.ts";
import { Connection, type ConnectionOwner } from "./connection.ts";
import type { Origin } from "./origin.ts";

export class ConnectionPool implements ConnectionOwner {
  readonly #origin: Origin;
  readonly #idleMs: number;
  /** The one that idles longest first. */
  #idle: Connection[] = [];
  #sweepTimer: ReturnType<typeof setTimeout> | null = null;

  constructor(origin: Origin, idleMs = backendIdleMs) {
    this.#origin = origin;
    this.#idleMs = idleMs;
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
    if (this.#sweepTimer === null) this.#startSweepTimer(connection);
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
    if (performance.now() - connection.idleSince < this.#idleMs) return connection;
    connection.close();
    this.#sweep();
    return null;
  }

  /** For the moment at which `oldest`, the first to become idle, has idled too long. */
  #startSweepTimer(oldest: Connection): void {
    const idledMs = performance.now() - oldest.idleSince;
    this.#sweepTimer = setTimeout(() => this.#sweep(), Math.max(1, this.#idleMs - idledMs));
    this.#sweepTimer.unref();
  }

  #sweep(): void {
    clearTimeout(this.#sweepTimer ?? undefined);
    this.#sweepTimer = null;
    const now = performance.now();
    for (const connection of [...this.#idle]) {
      if (now - connection.idleSince >= this.#idleMs) connection.close();
    }
    const [oldest] = this.#idle;
    if (oldest !== undefined) this.#startSweepTimer(oldest);
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
