/**
 * HTTP that no client library would send, at a running server: whatever comes, it answers or hangs
 * up, stays well, and neither another session nor the host's files are reached.
 */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { checkpointDirectory } from "../fixtures/checkpoints.ts";
import { mutated, randomJson } from "../harness/mutation.ts";
import { type Random, randomFrom, seedOf } from "../harness/random.ts";
import { childrenOf, type ServerProcess, startServer } from "../harness/server-process.ts";
import { hangMs } from "../harness/time-limit.ts";
import { goodReply } from "./backend-trouble.cases.ts";
import { Session } from "./session.ts";

const casesPerServer = 10_000;
const atOnce = 16;

/** All that the server and Bun's HTTP layer may say to nonsense; 500 is not among them. */
const statuses = [
  100, 200, 204, 307, 400, 401, 403, 404, 405, 408, 411, 413, 414, 431, 501, 502, 505,
];

/** Paths that the backend was asked for. */
const backendPaths = new Set<string>();
const backend = Bun.serve({
  hostname: "127.0.0.1",
  port: 0,
  fetch(request) {
    backendPaths.add(request.url.slice(backend.url.origin.length));
    return new Response(goodReply, { headers: { "content-type": "application/json" } });
  },
});
afterAll(() => backend.stop(true));

/** What comes back until the first reply is there or the server hangs up. */
async function converse(url: string, { bytes, isWhole }: Attack): Promise<string> {
  const { hostname, port } = new URL(url);
  const done = Promise.withResolvers<string>();
  let received = "";
  await Bun.connect({
    hostname,
    port: Number(port),
    socket: {
      open(socket) {
        socket.write(bytes);
        if (!isWhole) socket.shutdown();
      },
      data(socket, chunk) {
        received += chunk.toString("latin1");
        if (received.includes("\r\n\r\n")) socket.end();
      },
      close: () => done.resolve(received),
      error: () => done.resolve(received),
    },
  });
  return done.promise;
}

const methods = ["GET", "POST", "PUT", "DELETE", "PATCH", "HEAD", "OPTIONS", "TRACE", "CONNECT"];
const oddMethods = ["get", "FOO", "P\0ST", "GET GET", "", "POST".repeat(100)];
const segments = [
  ...["sessions", "health", "v1", "chat", "completions", "models", "flush_cache", ""],
  ...["..", ".", "%2e%2e", "%2E.", "%252e%252e", "..%2f..", "..;x", "%5c..", "\\..", "a%00b"],
  ...["%zz", "%", "%E4%BD%A0", "%ff", "~", "a b", "*", "?", "#", "etc", "passwd", "proc", "self"],
  ...["x".repeat(300), "constructor", "__proto__", "toString"],
];
const oddHeaders = [
  "Content-Length: -1",
  "Content-Length: 5, 5",
  "Content-Length: 99999999999999999999",
  "Content-Length: 0x10",
  "Transfer-Encoding: chunked",
  "Transfer-Encoding: gzip, chunked",
  "Transfer-Encoding: identity\r\nContent-Length: 3",
  "Expect: 100-continue",
  "Expect: something",
  "Upgrade: websocket\r\nConnection: Upgrade",
  "Upgrade: h2c\r\nHTTP2-Settings: AAMAAABkAARAAAAAAAIAAAAA\r\nConnection: Upgrade, HTTP2-Settings",
  "Host: a\r\nHost: b",
  "Host: a b",
  "Host: ..",
  "Content-Encoding: gzip",
  "X-SMG-Routing-Key: other",
  "X-Empty:",
  ": no name",
  "no colon",
  " folded: line",
  "X-Control: a\x01b",
  `X-Long: ${"y".repeat(20_000)}`,
  `${"X-Many: 1\r\n".repeat(300)}X-Last: 1`,
  "Authorization: Bearer x",
  "Range: bytes=0-10",
  "Connection: close",
];

function randomPath(random: Random, sessions: readonly string[]): string {
  const known = random.chance(0.6) ? ["sessions", random.pick(sessions)] : [];
  const more = Array.from({ length: random.integer(0, 5) }, () => random.pick(segments));
  const query = random.chance(0.2) ? `?${random.pick(segments)}=${random.pick(segments)}` : "";
  return `/${[...known, ...more].join("/")}${query}`;
}

interface Attack {
  readonly bytes: Uint8Array;
  /** Whether a server would wait for more: then the client says that no more comes. */
  readonly isWhole: boolean;
}

function randomRequest(random: Random, sessions: readonly string[]): Attack {
  const method = random.chance(0.9) ? random.pick(methods) : random.pick(oddMethods);
  const isChat = random.chance(0.3);
  const path = isChat
    ? `/sessions/${random.pick(sessions)}/v1/chat/completions`
    : randomPath(random, sessions);
  const target = random.chance(0.9) ? path : `http://elsewhere:1${path}`;
  const version = random.chance(0.95) ? "HTTP/1.1" : random.pick(["HTTP/1.0", "HTTP/2.0", "x"]);
  const body = random.chance(0.5) ? randomJson(random) : "";
  const headers = random.chance(0.4) ? `${random.pick(oddHeaders)}\r\n` : "";
  const length = random.chance(0.9) ? Buffer.byteLength(body) : random.integer(0, 5_000_000);
  const head = `${method} ${target} ${version}\r\nHost: h\r\n${headers}Content-Length: ${length}`;
  return {
    bytes: Buffer.from(`${head}\r\n\r\n${body}`),
    isWhole: headers === "" && methods.includes(method) && length === Buffer.byteLength(body),
  };
}

const dictionary = [
  "\r\n",
  "\r\n\r\n",
  "\n",
  "\0",
  " ",
  ":",
  "/",
  "%",
  "chunked",
  "HTTP/1.1",
  "\t",
];

function randomAttack(random: Random, sessions: readonly string[]): Attack {
  const request = randomRequest(random, sessions);
  const { bytes } = request;
  switch (random.integer(0, 9)) {
    case 0: {
      const length = random.integer(1, 400);
      return broken(Uint8Array.from({ length }, () => random.integer(0, 255)));
    }
    case 1:
      return broken(bytes.subarray(0, random.integer(0, bytes.byteLength)));
    case 2:
      return broken(Buffer.concat([bytes, randomRequest(random, sessions).bytes, bytes]));
    case 3:
    case 4:
      return broken(mutated(random, bytes, dictionary));
    default:
      return request;
  }
}

function broken(bytes: Uint8Array): Attack {
  return { bytes, isWhole: false };
}

describe.each([1, 2])("hostile HTTP, %d workers", (workers) => {
  let server: ServerProcess;
  beforeAll(async () => {
    server = await startServer([
      ...["--port", "0", "--workers", String(workers), "--log-level", "debug"],
      ...["--backend-url", `${backend.url.origin}/base`],
      ...["--hf-checkpoint", checkpointDirectory("qwen3")],
    ]);
  }, hangMs);
  afterAll(async () => {
    expect(await server.stop()).toBe(0);
  });

  test(
    `${casesPerServer} requests: an answer or a hang-up, and everything is as it was`,
    async () => {
      const random = randomFrom(seedOf(`hostile HTTP, ${workers} workers`));
      // What nobody below has the id of must stay as it is.
      const treasure = await Session.create(server.url);
      expect((await treasure.chat("secret-of-another-session")).status).toBe(200);
      const before = JSON.stringify(await treasure.dump());
      const prey = await Promise.all(
        Array.from({ length: 4 }, async () => (await Session.create(server.url)).id),
      );
      const processes = [server.pid, ...childrenOf(server.pid)];
      const seen = new Map<string, number>();

      let tried = 0;
      const attacker = async (): Promise<void> => {
        while (tried < casesPerServer) {
          tried++;
          const attack = randomAttack(random, [...prey, "x", "0".repeat(32)]);
          const reply = await converse(server.url, attack);
          const status = reply === "" ? "hung up" : reply.slice(9, 12);
          seen.set(status, (seen.get(status) ?? 0) + 1);
          if (reply !== "") expect(statuses, JSON.stringify(reply)).toContain(Number(status));
          expect(reply).not.toContain("secret-of-another-session");
          expect(reply).not.toContain("root:");
        }
      };
      await Promise.all(Array.from({ length: atOnce }, attacker));

      const counts = [...seen].sort().map(([status, count]) => `${count} x ${status}`);
      console.log(`hostile HTTP, ${workers} workers: ${tried} tried, ${counts.join(", ")}`);
      expect([server.pid, ...childrenOf(server.pid)]).toEqual(processes);
      expect((await fetch(`${server.url}/health`)).status).toBe(200);
      expect(JSON.stringify(await treasure.dump())).toBe(before);
      expect(server.log()).not.toMatch(/ ERROR |AssertionError|internal error/);
      expect([...backendPaths].filter((path) => !path.startsWith("/base/"))).toEqual([]);
    },
    hangMs,
  );

  test("a client that sends one byte at a time holds nobody up", async () => {
    const session = await Session.create(server.url);
    const { hostname, port } = new URL(server.url);
    const slow = Promise.withResolvers<string>();
    const body = '{"messages":[{"role":"user","content":"slow"}]}';
    const request = Buffer.from(
      `POST /sessions/${session.id}/v1/chat/completions HTTP/1.1\r\nHost: h\r\n` +
        `Connection: close\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
    );
    let received = "";
    const socket = await Bun.connect({
      hostname,
      port: Number(port),
      socket: {
        data(_, chunk) {
          received += chunk.toString();
        },
        close: () => slow.resolve(received),
      },
    });
    for (const byte of request) {
      socket.write(Uint8Array.of(byte));
      socket.flush();
      // Others are served between any two of its bytes.
      if (byte === 0x0a) expect((await fetch(`${server.url}/health`)).status).toBe(200);
    }
    expect(await slow.promise).toStartWith("HTTP/1.1 200 OK");
  });
});
