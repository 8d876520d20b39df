/**
 * HTTP as bytes: what no client library would send.
 */

/** Sends `bytes` over one connection and returns all that comes back until the server closes it. */
export async function exchange(url: string, bytes: string | Uint8Array): Promise<string> {
  const { hostname, port } = new URL(url);
  const done = Promise.withResolvers<string>();
  let received = "";
  let unsent = typeof bytes === "string" ? Buffer.from(bytes, "latin1") : bytes;
  const send = (socket: Bun.Socket) => {
    const taken = socket.write(unsent);
    if (taken > 0) unsent = unsent.subarray(taken);
  };
  await Bun.connect({
    hostname,
    port: Number(port),
    socket: {
      open: send,
      drain: send,
      data(socket, chunk) {
        received += chunk.toString("latin1");
        // A whole reply to a request that asked for no close: nothing more will come.
        if (isWhole(received)) socket.end();
      },
      close: () => done.resolve(received),
      error: (_, error) => done.reject(error),
    },
  });
  return done.promise;
}

/** Whether `text` is an interim reply, or one with Content-Length, complete. */
function isWhole(text: string): boolean {
  if (text.startsWith("HTTP/1.1 1")) return true;
  const headEnd = text.indexOf("\r\n\r\n");
  if (headEnd < 0) return false;
  const [, length] = /\r\ncontent-length: (\d+)\r\n/i.exec(text.slice(0, headEnd + 2)) ?? [];
  return length !== undefined && text.length >= headEnd + 4 + Number(length);
}
