/**
 * A private directory for the sockets of one server.
 *
 * Contract   only this user may enter it (0700). It is removed with all it holds by `remove`, and
 *            when the process exits without having called it. A server that was killed cannot: what
 *            it left is removed by the next one that starts.
 * Reports    one sentence when no directory can be made.
 * Limits     socketPathBytesMax: a long TMPDIR is passed over for /tmp.
 *
 * Whether a directory was left behind is asked of the kernel: its owner listens on a socket in it
 * for as long as it lives, so a connection that is refused proves the owner dead. Process ids would
 * not: they are used again, and mean nothing to a container that shares the directory.
 */
import { lstatSync, mkdtempSync, readdirSync, rmdirSync, rmSync, unlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { errorText } from "../errors.ts";
import { socketPathBytesMax, workerCountMax } from "../limits.ts";

const directoryPrefix = "session-server-";
const randomSuffix = "XXXXXX";
const directoryName = /^session-server-[A-Za-z0-9]{6}$/;
const ownerSocketName = "owner.sock";
const socketNames = /^(owner|worker-\d+)\.sock$/;

export class SocketDirectory {
  readonly path: string;
  readonly #owner: { stop(): void };
  readonly #removeAtExit = () => this.#remove();

  private constructor(path: string) {
    this.path = path;
    this.#owner = listenAsOwner(join(path, ownerSocketName));
    process.once("exit", this.#removeAtExit);
  }

  /** Makes a directory, after it has removed those whose servers are dead. */
  static async create(temporaryDirectory = tmpdir()): Promise<SocketDirectory> {
    const parent = fits(temporaryDirectory) ? temporaryDirectory : "/tmp";
    await removeAbandoned(parent);
    try {
      // mkdtemp makes it 0700 in one step: it is never open to others.
      return new SocketDirectory(mkdtempSync(join(parent, directoryPrefix)));
    } catch (error) {
      throw new Error(
        `no directory for sockets can be made in ${parent}, ` +
          `which TMPDIR names: ${errorText(error)}`,
        { cause: error },
      );
    }
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
    this.#owner.stop();
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

function listenAsOwner(path: string): { stop(): void } {
  const listener = Bun.listen({
    unix: path,
    socket: { open: (peer) => void peer.end(), data() {} },
  });
  // Who embeds a supervisor may end without having stopped it.
  listener.unref();
  return { stop: () => listener.stop(true) };
}

async function removeAbandoned(parent: string): Promise<void> {
  for (const name of namesIn(parent)) {
    if (directoryName.test(name)) await removeIfAbandoned(join(parent, name));
  }
}

/** Nothing is removed but sockets of such names, and a directory that is empty then. */
async function removeIfAbandoned(path: string): Promise<void> {
  const names = namesIn(path);
  if (!names.includes(ownerSocketName) || !names.every((name) => socketNames.test(name))) return;
  try {
    const stats = lstatSync(path);
    if (!stats.isDirectory() || stats.uid !== process.getuid?.()) return;
    if (!(await isRefused(join(path, ownerSocketName)))) return;
    for (const name of names) unlinkSync(join(path, name));
    rmdirSync(path);
  } catch {
    // Another server that starts removed it first, or it is not ours to remove after all.
  }
}

function namesIn(path: string): string[] {
  try {
    return readdirSync(path);
  } catch {
    return [];
  }
}

/** Whether nobody listens at a socket that is there. */
async function isRefused(path: string): Promise<boolean> {
  try {
    const socket = await Bun.connect({ unix: path, socket: { data() {}, connectError() {} } });
    socket.end();
    return false;
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "ECONNREFUSED";
  }
}
