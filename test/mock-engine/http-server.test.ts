import { afterEach, expect, test } from "bun:test";
import {
  type Delivery,
  type HttpReply,
  type HttpServer,
  type Respond,
  startHttpServer,
  whenAborted,
} from "../../src/mock-engine/http-server.ts";

const servers: HttpServer[] = [];

afterEach(() => {
  for (const server of servers.splice(0)) server.stop();
});

function serve(respond: Respond): string {
  const server = startHttpServer("127.0.0.1", 0, respond);
  servers.push(server);
  return `http://127.0.0.1:${server.port}`;
}

function reply(body: Uint8Array[], changes: Partial<HttpReply> = {}): HttpReply {
  return {
    status: 200,
    headers: [["content-type", "text/plain"]],
    body,
    framing: "content-length",
    delivery: "whole",
    ...changes,
  };
}

/** Slices of many sizes, more in all than a socket takes at once. */
const slices = Array.from({ length: 40 }, (_, index) => {
  return new Uint8Array(index % 3 === 0 ? 400_000 : index).fill(index);
});
const wholeBody = Buffer.concat(slices);

test("startHttpServer() sends every slice under both framings", async () => {
  for (const framing of ["content-length", "chunked"] as const) {
    const url = serve(async () => reply(slices, { framing, status: 207 }));
    const response = await fetch(url);
    expect(response.status).toBe(207);
    const length = framing === "chunked" ? null : String(wholeBody.length);
    expect(response.headers.get("content-length")).toBe(length);
    expect(response.headers.get("content-type")).toBe("text/plain");
    expect(wholeBody.equals(await response.bytes())).toBe(true);
  }
});

test("startHttpServer() hands over the request and answers a connection in order", async () => {
  const url = serve(async (request) =>
    reply([Buffer.concat([Buffer.from(request.path), request.body])]),
  );
  const paths = Array.from({ length: 50 }, (_, index) => `/${index}`);
  for (const path of paths) {
    const response = await fetch(url + path, { method: "POST", body: " body" });
    expect(await response.text()).toBe(`${path} body`);
  }
});

test("startHttpServer() answers HEAD without a body and closes when asked to", async () => {
  const url = serve(async () => reply([Buffer.from("hello")]));
  const head = await fetch(url, { method: "HEAD" });
  expect(head.headers.get("content-length")).toBe("5");
  const last = await fetch(url, { headers: { connection: "close" } });
  expect(await last.text()).toBe("hello");
});

test("startHttpServer() breaks a reply off, keeps it back or resets it", async () => {
  const expectations: [Delivery, "content-length" | "chunked"][] = [
    ["half-then-close", "content-length"],
    ["half-then-close", "chunked"],
    ["none-then-reset", "content-length"],
  ];
  for (const [delivery, framing] of expectations) {
    const url = serve(async () => reply([wholeBody], { delivery, framing }));
    const read = fetch(url, { method: "POST" }).then((response) => response.bytes());
    await expect(read).rejects.toMatchObject({ code: "ECONNRESET" });
  }
});

test("startHttpServer() stalls with half of the body sent", async () => {
  const url = serve(async () => reply([wholeBody], { delivery: "half-then-stall" }));
  const abort = new AbortController();
  const response = await fetch(url, { signal: abort.signal });
  let received = 0;
  const reader = response.body?.getReader();
  while (reader !== undefined && received < Math.floor(wholeBody.length / 2)) {
    received += (await reader.read()).value?.length ?? 0;
  }
  expect(received).toBe(Math.floor(wholeBody.length / 2));
  abort.abort();
});

test("startHttpServer() tells a request that its client went away", async () => {
  const gone = Promise.withResolvers<void>();
  const arrived = Promise.withResolvers<void>();
  const url = serve(async (_, closed) => {
    arrived.resolve();
    await whenAborted(closed);
    gone.resolve();
    return reply([]);
  });
  const abort = new AbortController();
  const request = fetch(url, { method: "POST", signal: abort.signal }).catch(() => "aborted");
  await arrived.promise;
  abort.abort();
  await gone.promise;
  expect(await request).toBe("aborted");
});

test("stop() ends connections that wait for a reply", async () => {
  const arrived = Promise.withResolvers<void>();
  const url = serve(async (_, closed) => {
    arrived.resolve();
    await whenAborted(closed);
    return reply([]);
  });
  const request = fetch(url, { method: "POST" });
  await arrived.promise;
  servers[0]?.stop();
  await expect(request).rejects.toMatchObject({ code: "ECONNRESET" });
  await expect(fetch(url, { method: "POST" })).rejects.toMatchObject({ code: "ECONNREFUSED" });
});

test("startHttpServer() resets a connection that does not speak HTTP", async () => {
  const url = new URL(serve(async () => reply([])));
  const closed = Promise.withResolvers<void>();
  await Bun.connect({
    hostname: url.hostname,
    port: Number(url.port),
    socket: {
      open: (socket) => void socket.write("what is this\r\n\r\n"),
      data() {},
      close: () => closed.resolve(),
      error: () => closed.resolve(),
    },
  });
  await closed.promise;
});
