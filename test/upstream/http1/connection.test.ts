import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { AssertionError } from "../../../src/assert.ts";
import { backendProbeMs } from "../../../src/limits.ts";
import { Connection } from "../../../src/upstream/http1/connection.ts";
import { parseOrigin } from "../../../src/upstream/http1/origin.ts";
import { tcpProbeMs } from "../../harness/machine.ts";
import { until } from "../../harness/until.ts";
import { latin1 } from "./parsed-response.ts";
import { serveSockets } from "./socket-server.ts";

const request = {
  method: "GET",
  head: latin1("GET / HTTP/1.1\r\nhost: h\r\n\r\n"),
  body: new Uint8Array(0),
};

/** An owner that writes down what it is told. */
function watch() {
  const events: string[] = [];
  return {
    events,
    free: () => void events.push("free"),
    closed: () => void events.push("closed"),
  };
}

describe("Connection", () => {
  test("is free after an exchange, and closed once", async () => {
    using server = serveSockets((socket) => {
      socket.send("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n");
    });
    const owner = watch();
    const connection = await Connection.connect(parseOrigin(server.url), owner);
    await connection.exchange(request);
    await connection.exchange(request);
    expect(owner.events).toEqual(["free", "free"]);
    connection.close();
    connection.close();
    await server.sockets[0]?.closed;
    expect([connection.isOpen, owner.events]).toEqual([false, ["free", "free", "closed"]]);
    await expect(connection.exchange(request)).rejects.toThrow("before it was asked");
  });

  test("carries one exchange at a time", async () => {
    using server = serveSockets(() => {});
    const connection = await Connection.connect(parseOrigin(server.url), watch());
    const first = connection.exchange(request);
    await expect(connection.exchange(request)).rejects.toThrow(AssertionError);
    server[Symbol.dispose]();
    await expect(first).rejects.toThrow("ECONNRESET: the backend closed the connection before");
  });

  test("is probed after backendProbeMs of silence: a machine that is gone says nothing", async () => {
    using server = serveSockets(() => {});
    const startedAt = performance.now();
    const connection = await Connection.connect(parseOrigin(server.url), watch());
    let remainingMs: number | null = null;
    await until(() => {
      [remainingMs = null] = tcpProbeMs(Number(new URL(server.url).port));
      return remainingMs !== null;
    });
    const sinceMs = performance.now() - startedAt;
    expect(remainingMs).toBeLessThanOrEqual(backendProbeMs);
    // The kernel counts in ticks of its own, and may be a second late.
    expect(remainingMs).toBeGreaterThan(backendProbeMs - sinceMs - 1_000);
    connection.close();
  });

  test("tells its owner of the server's close", async () => {
    using server = serveSockets((socket) => socket.finish());
    const closed = Promise.withResolvers<void>();
    const owner = { free() {}, closed: () => closed.resolve() };
    const connection = await Connection.connect(parseOrigin(server.url), owner);
    await expect(connection.exchange(request)).rejects.toThrow("before it answered");
    await closed.promise;
    expect(connection.isOpen).toBe(false);
  });
});

describe("Connection over TLS", () => {
  const file = (name: string) => join(import.meta.dir, "certificates", name);
  let server: ReturnType<typeof Bun.serve>;
  beforeAll(() => {
    server = Bun.serve({
      hostname: "127.0.0.1",
      port: 0,
      tls: { cert: Bun.file(file("localhost.pem")), key: Bun.file(file("localhost.key.pem")) },
      fetch: async (received) => new Response(await received.bytes()),
    });
  });
  afterAll(() => server.stop(true));

  async function linesFrom(environment: Record<string, string>): Promise<string[]> {
    const urls = [`https://localhost:${server.port}`, `https://127.0.0.1:${server.port}`];
    const client = Bun.spawn(
      [process.execPath, join(import.meta.dir, "https-client.ts"), ...urls],
      { stdout: "pipe", env: { PATH: process.env["PATH"], ...environment } },
    );
    return (await client.stdout.text()).trim().split("\n");
  }

  test("refuses a certificate of an authority that nobody trusts", async () => {
    const refusal = expect.stringMatching(
      /^backend transport error: UNABLE_TO_VERIFY_LEAF_SIGNATURE: /,
    );
    expect(await linesFrom({})).toEqual([refusal, refusal]);
  });

  test("trusts NODE_EXTRA_CA_CERTS, and only the names in the certificate", async () => {
    expect(await linesFrom({ NODE_EXTRA_CA_CERTS: file("authority.pem") })).toEqual([
      "200 3000000",
      expect.stringMatching(/^backend transport error: ERR_TLS_CERT_ALTNAME_INVALID: /),
    ]);
  });

  test("trusts everybody when NODE_TLS_REJECT_UNAUTHORIZED is 0", async () => {
    expect(await linesFrom({ NODE_TLS_REJECT_UNAUTHORIZED: "0" })).toEqual([
      "200 3000000",
      "200 3000000",
    ]);
  });

  test("reports a peer that does not speak TLS", async () => {
    using plain = serveSockets((socket) => socket.send("HTTP/1.1 400 Bad Request\r\n\r\n"));
    const origin = parseOrigin(plain.url.replace("http:", "https:"));
    await expect(Connection.connect(origin, watch())).rejects.toThrow(
      /^backend transport error: EPROTO: /,
    );
  });
});
