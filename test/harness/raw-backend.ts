/**
 * A backend on bare TCP: each request is answered by what a test does with the connection, which
 * no HTTP server would do by itself.
 *
 * Contract   a request is read to its end before its answer runs. Answers are taken in the order in
 *            which they were queued; a request without one is answered by `otherwise`: 599.
 */

export interface RawConnection {
  /** Sends all of it, however slowly the peer reads. */
  send(bytes: string | Uint8Array): Promise<void>;
  /** Ends the sending direction: what was sent still arrives. */
  finish(): void;
  /** Breaks the connection with a reset. */
  reset(): void;
  /** Resolves when the peer is gone. */
  readonly closed: Promise<void>;
}

export type RawAnswer = (connection: RawConnection, request: string) => void | Promise<void>;

export interface RawBackend {
  readonly url: string;
  /** Requests so far, head and body. */
  readonly requests: readonly string[];
  /** Connections accepted so far. */
  readonly connectionCount: number;
  answer(answer: RawAnswer): void;
  stop(): void;
}

interface Peer {
  received: string;
  drained: PromiseWithResolvers<void>;
  closed: PromiseWithResolvers<void>;
}

export function startRawBackend(otherwise: RawAnswer = notScripted): RawBackend {
  const requests: string[] = [];
  const answers: RawAnswer[] = [];
  let connectionCount = 0;
  const listener = Bun.listen<Peer>({
    hostname: "127.0.0.1",
    port: 0,
    socket: {
      open(socket) {
        connectionCount++;
        socket.data = {
          received: "",
          drained: Promise.withResolvers(),
          closed: Promise.withResolvers(),
        };
      },
      data(socket, chunk) {
        const peer = socket.data;
        peer.received += chunk.toString("latin1");
        const length = requestLength(peer.received);
        if (length === null || peer.received.length < length) return;
        const request = peer.received.slice(0, length);
        peer.received = peer.received.slice(length);
        requests.push(request);
        const answer = answers.shift() ?? otherwise;
        void answer(connectionOf(socket), request);
      },
      drain: (socket) => socket.data.drained.resolve(),
      close: (socket) => socket.data.closed.resolve(),
    },
  });
  return {
    url: `http://127.0.0.1:${listener.port}`,
    requests,
    get connectionCount() {
      return connectionCount;
    },
    answer: (answer) => void answers.push(answer),
    stop: () => listener.stop(true),
  };
}

const notScripted: RawAnswer = async (connection) => {
  await connection.send("HTTP/1.1 599 Not Scripted\r\nContent-Length: 0\r\n\r\n");
  connection.finish();
};

/** Bytes of the request that `text` begins with; null while its head is not complete. */
function requestLength(text: string): number | null {
  const headEnd = text.indexOf("\r\n\r\n");
  if (headEnd < 0) return null;
  const [, length = "0"] = /\r\ncontent-length: *(\d+)/i.exec(text.slice(0, headEnd)) ?? [];
  return headEnd + 4 + Number(length);
}

function connectionOf(socket: Bun.Socket<Peer>): RawConnection {
  return {
    async send(bytes) {
      let unsent: Uint8Array = typeof bytes === "string" ? Buffer.from(bytes, "latin1") : bytes;
      while (unsent.byteLength > 0) {
        socket.data.drained = Promise.withResolvers();
        const taken = socket.write(unsent);
        if (taken < 0) return;
        unsent = unsent.subarray(taken);
        if (unsent.byteLength > 0) {
          await Promise.race([socket.data.drained.promise, socket.data.closed.promise]);
        }
      }
    },
    finish: () => void socket.shutdown(),
    reset: () => void socket.terminate(),
    closed: socket.data.closed.promise,
  };
}
