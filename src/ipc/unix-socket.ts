// spec: docs/ipc-protocol.md, "Transport"
/**
 * Byte streams over Unix sockets: the one file of the protocol that knows the runtime.
 *
 * Contract   `closed` comes exactly once a stream, whoever closed it. An exception in an owner's
 *            handler is a bug of ours and ends the process.
 * Reports    connectUnixSocket rejects with the system's error: no such path, nobody listening.
 * Limits     socketPathBytesMax, which the kernel sets.
 */
import { assert } from "../assert.ts";
import { socketPathBytesMax } from "../limits.ts";
import type { ByteStream, ByteStreamHandlers, ByteStreamOwner } from "./byte-stream.ts";

export interface UnixListener {
  /** Takes no more connections and removes the socket file; open streams live on. */
  stop(): void;
}

type Attached = { owner: ByteStreamHandlers | null };
type Socket = Bun.Socket<Attached>;

/** Listens at `path`, which must not exist; `accept` makes the owner of each connection. */
export function listenUnixSocket(
  path: string,
  accept: ByteStreamOwner<ByteStreamHandlers>,
): UnixListener {
  checkPath(path);
  const listener = Bun.listen<Attached>({
    unix: path,
    data: { owner: null },
    socket: {
      ...events,
      open(socket) {
        // The data object given to Bun.listen is shared by all of its connections.
        socket.data = { owner: null };
        socket.data.owner = accept(byteStreamOf(socket));
      },
    },
  });
  return { stop: () => listener.stop(false) };
}

/** Connects to `path` and resolves to the owner that `attach` made of the stream. */
export async function connectUnixSocket<Owner extends ByteStreamHandlers>(
  path: string,
  attach: ByteStreamOwner<Owner>,
): Promise<Owner> {
  checkPath(path);
  let owner: Owner | null = null;
  await Bun.connect<Attached>({
    unix: path,
    data: { owner: null },
    socket: {
      ...events,
      open(socket) {
        owner = attach(byteStreamOf(socket));
        socket.data.owner = owner;
      },
      connectError() {
        // The promise of Bun.connect rejects with the same error.
      },
    },
  });
  assert(owner !== null, "a socket is opened before its connection is reported");
  return owner;
}

const events = {
  data(socket: Socket, chunk: Uint8Array) {
    socket.data.owner?.received(chunk);
  },
  drain(socket: Socket) {
    socket.data.owner?.drained();
  },
  close(socket: Socket, error?: Error) {
    const owner = socket.data.owner;
    socket.data.owner = null;
    owner?.closed(error ?? null);
  },
  error(_socket: Socket, error: Error) {
    // Thrown outside the socket's callback, where it would be swallowed.
    queueMicrotask(() => {
      throw error;
    });
  },
};

function byteStreamOf(socket: Socket): ByteStream {
  return {
    write: (bytes) => socket.write(bytes),
    pause: () => void socket.pause(),
    resume: () => void socket.resume(),
    // Never with data: bytes that the kernel does not take at once would be lost.
    close: () => void socket.end(),
  };
}

function checkPath(path: string): void {
  const byteLength = new TextEncoder().encode(path).byteLength;
  assert(
    byteLength <= socketPathBytesMax,
    `socket path of ${byteLength} bytes, at most ${socketPathBytesMax}: ${path}`,
  );
}
