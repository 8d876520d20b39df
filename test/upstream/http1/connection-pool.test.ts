import { describe, expect, spyOn, test } from "bun:test";
import { join } from "node:path";
import { backendIdleMs } from "../../../src/limits.ts";
import type { Connection } from "../../../src/upstream/http1/connection.ts";
import { ConnectionPool } from "../../../src/upstream/http1/connection-pool.ts";
import { parseOrigin } from "../../../src/upstream/http1/origin.ts";
import { established, tcpStates } from "../../harness/machine.ts";
import { latin1 } from "./parsed-response.ts";
import { serveSockets } from "./socket-server.ts";

const okEmpty = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n";

/** As long as a test may take: what is idle here is closed by what the test does, not by time. */
const neverMs = 3_600_000;

function poolFor(url: string, idleMs = neverMs): ConnectionPool {
  return new ConnectionPool(parseOrigin(url), idleMs);
}

async function exchange(connection: Connection): Promise<void> {
  const head = latin1("GET / HTTP/1.1\r\nhost: h\r\n\r\n");
  const { body } = await connection.exchange({ method: "GET", head, body: new Uint8Array(0) });
  for await (const _ of body) {
    // Only the end counts.
  }
}

describe("ConnectionPool", () => {
  test("gives an idle connection again, the one that was used last", async () => {
    using server = serveSockets((socket) => socket.send(okEmpty));
    const pool = poolFor(server.url);
    const first = await pool.acquire();
    const second = await pool.acquire();
    expect(second).not.toBe(first);
    await exchange(first);
    await exchange(second);
    expect(await pool.acquire()).toBe(second);
    expect(await pool.acquire()).toBe(first);
    expect(server.sockets.length).toBe(2);
    pool.close();
  });

  test.each([
    ["HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"],
    ["HTTP/1.0 200 OK\r\nContent-Length: 0\r\n\r\n"],
    [`${okEmpty}HTTP/1.1 200 OK\r\n`],
  ])("closes a connection after %j", async (text) => {
    using server = serveSockets((socket) => socket.send(text));
    const pool = poolFor(server.url);
    await exchange(await pool.acquire());
    await server.sockets[0]?.closed;
    await exchange(await pool.acquire());
    expect(server.sockets.length).toBe(2);
  });

  test("closes an idle connection on which something arrives", async () => {
    using server = serveSockets((socket) => {
      socket.send(okEmpty);
      setImmediate(() => socket.send(okEmpty));
    });
    const pool = poolFor(server.url);
    await exchange(await pool.acquire());
    await server.sockets[0]?.closed;
    await exchange(await pool.acquire());
    expect(server.sockets.length).toBe(2);
  });

  test("drops an idle connection as soon as the server closes it", async () => {
    using server = serveSockets((socket) => {
      socket.send(okEmpty);
      socket.finish();
    });
    const pool = poolFor(server.url);
    for (let round = 1; round <= 50; round += 1) {
      await exchange(await pool.acquire());
      expect(server.sockets.length).toBe(round);
    }
  });

  test("closes what idles too long, and does not use it if the timer is late", async () => {
    using server = serveSockets((socket) => socket.send(okEmpty));
    const pool = poolFor(server.url, 20);
    await exchange(await pool.acquire());
    // By the timer, without another request.
    await server.sockets[0]?.closed;
    await exchange(await pool.acquire());
    const busyUntil = performance.now() + 30;
    while (performance.now() < busyUntil);
    await exchange(await pool.acquire());
    await server.sockets[1]?.closed;
    expect(server.sockets.length).toBe(3);
  });

  test("keeps an idle connection for backendIdleMs and no longer, whatever the machine does", async () => {
    using server = serveSockets((socket) => socket.send(okEmpty));
    // Whole milliseconds, whose sums and differences are exact.
    let nowMs = Math.ceil(performance.now());
    using _clock = spyOn(performance, "now").mockImplementation(() => nowMs);
    using timers = spyOn(globalThis, "setTimeout");
    const pool = new ConnectionPool(parseOrigin(server.url));
    const first = await pool.acquire();
    await exchange(first);
    expect(timers.mock.calls.map(([, delayMs]) => delayMs)).toEqual([backendIdleMs]);
    nowMs += backendIdleMs - 1;
    expect(await pool.acquire()).toBe(first);
    await exchange(first);
    nowMs += backendIdleMs;
    const second = await pool.acquire();
    expect(second).not.toBe(first);
    await server.sockets[0]?.closed;
    second.close();
  });

  test("keeps it for less than half of what the least patient servers do", () => {
    // Documented: gunicorn's --keep-alive, uvicorn's --timeout-keep-alive, Node's keepAliveTimeout.
    const patienceMs = { gunicorn: 2_000, uvicorn: 5_000, node: 5_000 };
    for (const serverMs of Object.values(patienceMs)) {
      expect(2 * backendIdleMs).toBeLessThanOrEqual(serverMs);
    }
  });

  test("sees a close that came while the process was busy", async () => {
    const program = join(import.meta.dir, "closing-server.ts");
    const server = Bun.spawn([process.execPath, program], { stdout: "pipe", stdin: "pipe" });
    try {
      const lines = server.stdout.pipeThrough(new TextDecoderStream()).getReader();
      const url = String((await lines.read()).value).trim();
      const port = Number(new URL(url).port);
      const pool = poolFor(url);
      for (let round = 0; round < 20; round += 1) {
        await exchange(await pool.acquire());
        // No event is handled until the kernel has the close that the server sends 5 ms after its
        // answer. Without that, a slow server's close would cross the next request on the wire.
        while (tcpStates(port).includes(established));
      }
    } finally {
      server.kill();
      await server.exited;
    }
  });

  test("does not repeat a request whose connection closes under it", async () => {
    let requestCount = 0;
    using server = serveSockets((socket) => {
      requestCount += 1;
      if (requestCount === 1) socket.send(okEmpty);
      else socket.finish();
    });
    const pool = poolFor(server.url);
    await exchange(await pool.acquire());
    await expect(exchange(await pool.acquire())).rejects.toThrow("before it answered");
    expect([requestCount, server.sockets.length]).toEqual([2, 1]);
  });

  test("does not keep the process alive for idle connections", async () => {
    using server = serveSockets((socket) => socket.send(okEmpty));
    const program = join(import.meta.dir, "idle-client.ts");
    const words = [server.url, String(neverMs)];
    const client = Bun.spawn([process.execPath, program, ...words], { stdout: "pipe" });
    // The connection idles for an hour: that the process ends at all says that it does not wait.
    expect(await client.exited).toBe(0);
    expect(await client.stdout.text()).toBe("answered\n");
  });
});
