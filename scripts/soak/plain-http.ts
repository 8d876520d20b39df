/**
 * The least of an HTTP server: one request a connection, and a reply that may break off, which no
 * real server does on purpose.
 */

export interface PlainRequest {
  /** The request's path and query. */
  readonly target: string;
  readonly body: string;
}

export interface PlainReply {
  readonly status: number;
  readonly contentType: string;
  readonly body: string;
  /** Sends half of the body and resets the connection. */
  readonly breaksOff?: boolean;
}

export interface PlainServer {
  readonly url: string;
  stop(): void;
}

interface Connection {
  received: Buffer[];
  unsent: Uint8Array;
  breaksOff: boolean;
}

export function servePlainHttp(
  answer: (request: PlainRequest) => Promise<PlainReply>,
): PlainServer {
  const listener = Bun.listen<Connection>({
    hostname: "127.0.0.1",
    port: 0,
    socket: {
      open(socket) {
        socket.data = { received: [], unsent: new Uint8Array(0), breaksOff: false };
      },
      async data(socket, chunk) {
        socket.data.received.push(chunk);
        const request = readRequest(Buffer.concat(socket.data.received));
        if (request === null) return;
        const reply = await answer(request);
        const bytes = Buffer.from(replyText(reply));
        socket.data.breaksOff = reply.breaksOff ?? false;
        socket.data.unsent = socket.data.breaksOff ? bytes.subarray(0, bytes.length / 2) : bytes;
        send(socket);
      },
      drain: send,
    },
  });
  return { url: `http://127.0.0.1:${listener.port}`, stop: () => listener.stop(true) };
}

function send(socket: Bun.Socket<Connection>): void {
  const connection = socket.data;
  if (connection.unsent.byteLength === 0) return;
  const taken = socket.write(connection.unsent);
  if (taken > 0) connection.unsent = connection.unsent.subarray(taken);
  if (connection.unsent.byteLength > 0) return;
  if (connection.breaksOff) socket.terminate();
  else socket.shutdown();
}

/** The request that the bytes hold; null while it is not whole. */
function readRequest(bytes: Buffer): PlainRequest | null {
  const headEnd = bytes.indexOf("\r\n\r\n");
  if (headEnd < 0) return null;
  const head = bytes.toString("latin1", 0, headEnd);
  const [, length = "0"] = /\r\ncontent-length: *(\d+)/i.exec(head) ?? [];
  const body = bytes.subarray(headEnd + 4);
  if (body.byteLength < Number(length)) return null;
  return { target: head.split(" ")[1] ?? "", body: body.toString() };
}

function replyText({ status, contentType, body }: PlainReply): string {
  return (
    `HTTP/1.1 ${status} Soaked\r\nContent-Type: ${contentType}\r\nConnection: close\r\n` +
    `Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`
  );
}
