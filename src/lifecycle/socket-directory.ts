/**
 * A private directory for the sockets of one server.
 *
 * Contract   only this user may enter it (0700). It is removed with all it holds by `remove`, and
 *            when the process exits without having called it.
 * Limits     socketPathBytesMax: a long TMPDIR is passed over for /tmp.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { socketPathBytesMax, workerCountMax } from "../limits.ts";

const directoryPrefix = "session-server-";
const randomSuffix = "XXXXXX";

export class SocketDirectory {
  readonly path: string;
  readonly #removeAtExit = () => this.#remove();

  /** Throws the system's error when no directory can be made. */
  constructor(temporaryDirectory = tmpdir()) {
    const parent = fits(temporaryDirectory) ? temporaryDirectory : "/tmp";
    // mkdtemp makes it 0700 in one step: it is never open to others.
    this.path = mkdtempSync(join(parent, directoryPrefix));
    process.once("exit", this.#removeAtExit);
  }

  workerSocketPath(workerIndex: number): string {
    return join(this.path, socketName(workerIndex));
  }

  /** Idempotent. */
  remove(): void {
    process.off("exit", this.#removeAtExit);
    this.#remove();
  }

  #remove(): void {
    rmSync(this.path, { recursive: true, force: true });
  }
}

function socketName(workerIndex: number): string {
  return `worker-${workerIndex}.sock`;
}

function fits(parent: string): boolean {
  const longest = join(parent, directoryPrefix + randomSuffix, socketName(workerCountMax));
  return Buffer.byteLength(longest) <= socketPathBytesMax;
}
