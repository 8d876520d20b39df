import { afterEach, describe, expect, test } from "bun:test";
import type { Socket, TCPSocketListener } from "bun";
import { HttpClient, RequestError } from "../../../bench/load/http-client.ts";

let listener: TCPSocketListener<undefined> | null = null;

afterEach(() => {
  listener?.stop(true);
  listener = null;
});

/** A server that does what the test says with every chunk; counts what it is asked. */
function serve(onData: (socket: Socket<undefined>, text: string) => void) {
  let requests = 0;
  let connections = 0;
  listener = Bun.listen<undefined>({
    hostname: "127.0.0.1",
    port: 0,
    socket: {
      open() {
        connections += 1;
      },
      data(socket, chunk) {
        requests += 1;
        onData(socket, chunk.toString("latin1"));
      },
    },
  });
  const url = `http://127.0.0.1:${listener.port}`;
  return { url, requests: () => requests, connections: () => connections };
}

const request = { method: "POST", path: "/x?y=1", headers: ["a: b"], body: [Buffer.from("body")] };

async function failureOf(sending: Promise<unknown>): Promise<string> {
  const error = await sending.then(
    () => null,
    (reason: unknown) => reason,
  );
  if (error instanceof RequestError) return error.kind;
  throw new Error(`no RequestError but ${error}`);
}

describe("HttpClient", () => {
  test("sends the request as it was given, and hands the body on", async () => {
    let received = "";
    const { url } = serve((socket, text) => {
      received = text;
      socket.write("HTTP/1.1 200 OK\r\ncontent-length: 3\r\n\r\nabc");
    });
    const slices: string[] = [];
    const client = new HttpClient(url);
    const reply = await client.send(request, (slice) => slices.push(slice.toString()));
    client.close();
    expect(received).toBe(
      `POST /x?y=1 HTTP/1.1\r\nhost: ${new URL(url).host}\r\na: b\r\ncontent-length: 4\r\n\r\nbody`,
    );
    expect(reply).toMatchObject({ status: 200, bodyBytes: 3 });
    expect(slices).toHaveLength(1);
  });

  test("keeps its connection, and opens another when the server closes it", async () => {
    let replies = 0;
    const server = serve((socket) => {
      replies += 1;
      const closes = replies === 2 ? "connection: close\r\n" : "";
      socket.write(`HTTP/1.1 200 OK\r\n${closes}content-length: 0\r\n\r\n`);
    });
    const client = new HttpClient(server.url);
    for (let turn = 0; turn < 3; turn += 1) await client.send(request);
    client.close();
    expect(server.connections()).toBe(2);
    expect(server.requests()).toBe(3);
  });

  test("reports a connection that ends without a reply, and never sends again", async () => {
    const server = serve((socket) => void socket.terminate());
    const client = new HttpClient(server.url);
    expect(await failureOf(client.send(request))).toStartWith("connection");
    expect(server.requests()).toBe(1);
    client.close();
  });

  test("tells a reply that breaks off from none", async () => {
    const server = serve((socket) => {
      socket.write("HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nabc");
      socket.end();
    });
    const client = new HttpClient(server.url);
    expect(await failureOf(client.send(request))).toBe("connection closed within a reply");
    client.close();
  });

  test("reports a reply that is no HTTP", async () => {
    const server = serve((socket) => {
      socket.write("HTTP/1.1 200 OK\r\ncontent-length: many\r\n\r\n");
    });
    const client = new HttpClient(server.url);
    expect(await failureOf(client.send(request))).toBe("reply is no HTTP");
    client.close();
  });

  test("reports a server that is not there", async () => {
    const { url } = serve(() => {});
    listener?.stop(true);
    expect(await failureOf(new HttpClient(url).send(request))).toBe("cannot connect: ECONNREFUSED");
  });
});
