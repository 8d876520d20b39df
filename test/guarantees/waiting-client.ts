/**
 * Clients that wait for a server which will not answer them, and the backend of the one that reads
 * 1 GiB of records.
 */
import { startRawBackend } from "../harness/raw-backend.ts";
import type { Session } from "./session.ts";

const mebibyte = 1024 ** 2;
const gibibyte = 1024 ** 3;

/** Something that a client waits for. */
export interface Waiting {
  /** Resolves when the client knows, to what it knows; never rejects. */
  readonly ended: Promise<number | "broken">;
  /** Lets a client that has stopped reading go on. */
  resume(): void;
}

/** A chat whose backend never answers. */
export function chatForever(session: Session): Waiting {
  const reply = fetch(`${session.url}/v1/chat/completions`, {
    method: "POST",
    headers: { "x-mock-error": "silent" },
    body: '{"messages":[{"role":"user","content":"a"}]}',
  });
  return waitingFor(
    reply.then(async (response) => {
      await response.arrayBuffer();
      return response.status;
    }),
  );
}

function waitingFor(work: Promise<number>, resume: () => void = () => {}): Waiting {
  return { ended: work.catch(() => "broken" as const), resume };
}

/**
 * A client that reads the records of a session; resolves when the first bytes are there. It reads
 * half of 1 GiB as fast as it can and waits there, so that it is never done before the death.
 */
export async function readRecords(session: Session): Promise<Waiting> {
  const { hostname, port, pathname } = new URL(session.url);
  const first = Promise.withResolvers<void>();
  const ended = Promise.withResolvers<number>();
  let unread = gibibyte / 2;
  let tail = "";
  const connection = await Bun.connect({
    hostname,
    port: Number(port),
    socket: {
      open: (socket) => void socket.write(`GET ${pathname} HTTP/1.1\r\nHost: h\r\n\r\n`),
      data(socket, chunk) {
        first.resolve();
        unread -= chunk.byteLength;
        if (unread <= 0) socket.pause();
        tail = chunk.subarray(-8).toString("latin1");
        if (tail.endsWith("\r\n0\r\n\r\n")) ended.resolve(200);
      },
      close: () => ended.reject(new Error("broken")),
    },
  });
  await first.promise;
  return waitingFor(ended.promise, () => {
    unread = Number.POSITIVE_INFINITY;
    connection.resume();
  });
}

/** A backend that answers each chat with a payload of 1 GiB, which is nowhere as a whole. */
export function startGibibyteBackend() {
  const head =
    '{"choices":[{"index":0,"message":{"role":"assistant","content":"x"},"finish_reason":"stop",' +
    '"meta_info":{"completion_tokens":1,"output_token_logprobs":[[-1,1,null]],"routed_experts":"';
  const tail = '"}}]}';
  const slice = Buffer.alloc(mebibyte, "A");
  return startRawBackend(async (connection) => {
    const byteLength = head.length + gibibyte + tail.length;
    await connection.send(`HTTP/1.1 200 OK\r\nContent-Length: ${byteLength}\r\n\r\n${head}`);
    for (let sent = 0; sent < gibibyte; sent += slice.byteLength) await connection.send(slice);
    await connection.send(tail);
    connection.finish();
  });
}
