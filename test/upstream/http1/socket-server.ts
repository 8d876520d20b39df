/**
 * A TCP server for what test/harness/raw-backend.ts cannot do: see requests while they arrive,
 * count what the peer has taken, and answer within the events of the socket.
 */

export interface ServedSocket {
  /** Bytes received so far, in all. */
  receivedBytes: number;
  /** Bytes that the kernel has taken from us so far. */
  sentBytes: number;
  /** Resolves when the connection is gone. */
  readonly closed: Promise<void>;
  /** Sends what there is room for, now and whenever there is room again. */
  send(bytes: Uint8Array | string): void;
  /** Ends the sending direction once everything is sent. */
  finish(): void;
  /** Closes without reading what has arrived: the peer gets a reset. */
  terminate(): void;
}

export interface SocketServer extends Disposable {
  readonly url: string;
  readonly sockets: readonly ServedSocket[];
}

interface Attached {
  served: ServedSocket;
  flush(): void;
  gone(): void;
}

export function serveSockets(
  received: (socket: ServedSocket, chunk: Buffer) => void,
  hostname = "127.0.0.1",
): SocketServer {
  const sockets: ServedSocket[] = [];
  const listener = Bun.listen<Attached>({
    hostname,
    port: 0,
    socket: {
      open(socket) {
        socket.data = attach(socket);
        sockets.push(socket.data.served);
      },
      data(socket, chunk) {
        socket.data.served.receivedBytes += chunk.length;
        received(socket.data.served, chunk);
      },
      drain: (socket) => socket.data.flush(),
      close: (socket) => socket.data.gone(),
      error() {},
    },
  });
  const host = hostname.includes(":") ? `[${hostname}]` : hostname;
  return {
    url: `http://${host}:${listener.port}`,
    sockets,
    [Symbol.dispose]: () => listener.stop(true),
  };
}

function attach(socket: Bun.Socket<Attached>): Attached {
  const unsent: Uint8Array[] = [];
  const closed = Promise.withResolvers<void>();
  let isFinishing = false;
  const flush = (): void => {
    for (let next = unsent[0]; next !== undefined; next = unsent[0]) {
      const taken = socket.write(next);
      if (taken < 0) return;
      served.sentBytes += taken;
      if (taken < next.length) {
        unsent[0] = next.subarray(taken);
        return;
      }
      unsent.shift();
    }
    if (isFinishing) socket.shutdown();
  };
  const served: ServedSocket = {
    receivedBytes: 0,
    sentBytes: 0,
    closed: closed.promise,
    send(bytes) {
      unsent.push(typeof bytes === "string" ? Buffer.from(bytes, "latin1") : bytes);
      if (unsent.length === 1) flush();
    },
    finish() {
      isFinishing = true;
      flush();
    },
    terminate: () => void socket.terminate(),
  };
  return { served, flush, gone: () => closed.resolve() };
}
