import { describe, expect, test } from "bun:test";
import { UpstreamError } from "../../src/errors.ts";
import type { HeaderList } from "../../src/operation.ts";
import { readBody } from "../../src/stream-body.ts";
import { UpstreamClient } from "../../src/upstream/upstream-client.ts";
import { refusingUrl } from "../harness/machine.ts";
import { startScriptedBackend } from "../harness/scripted-backend.ts";

const noBody = new Uint8Array(0);

function request(overrides: Partial<Parameters<UpstreamClient["send"]>[0]> = {}) {
  const headers: HeaderList = [["x-smg-routing-key", "s"]];
  return { method: "POST", path: "v1/x", query: "", headers, body: noBody, ...overrides };
}

/** A TCP server that answers the first bytes of a request with `answer` and closes. */
function startRawBackend(answer: string) {
  return Bun.listen({
    hostname: "127.0.0.1",
    port: 0,
    socket: {
      data(socket) {
        socket.write(answer);
        socket.end();
      },
    },
  });
}

describe("UpstreamClient.send()", () => {
  test("sends path, query, headers and body as given, without what is of one hop", async () => {
    const backend = startScriptedBackend();
    try {
      backend.reply("s", { status: 200, headers: { "x-a": "1" }, body: "ok" });
      const reply = await new UpstreamClient(backend.url).send(
        request({
          path: "a%2Fb/c",
          query: "q=%20&q=é",
          headers: [
            ["x-smg-routing-key", "s"],
            ["authorization", "Bearer k"],
            ["connection", "keep-alive"],
            ["accept-encoding", "gzip"],
            ["content-length", "999"],
            ["expect", "100-continue"],
            ["host", "elsewhere"],
          ],
          body: Buffer.from("body"),
        }),
      );
      expect(reply.status).toBe(200);
      expect(new TextDecoder().decode(await readBody(reply.body))).toBe("ok");
      const names = reply.headers.map(([name]) => name);
      expect(names).toContain("x-a");
      expect(names).not.toContain("date");
      expect(names).not.toContain("content-length");
      const [seen] = backend.requests("s");
      expect(seen).toMatchObject({ method: "POST", path: "a%2Fb/c", body: "body" });
      expect(seen?.query).toBe("q=%20&q=%C3%A9");
      expect(seen?.headers.get("authorization")).toBe("Bearer k");
      expect(seen?.headers.get("accept-encoding")).toBe("identity");
      expect(seen?.headers.get("content-length")).toBe("4");
      expect(seen?.headers.get("host")).not.toBe("elsewhere");
      expect(seen?.headers.get("expect")).toBeNull();
    } finally {
      await backend.stop();
    }
  });

  test("drops what Connection names, on both ways, and sends the body of any method", async () => {
    let received = "";
    const backend = Bun.listen({
      hostname: "127.0.0.1",
      port: 0,
      socket: {
        data(socket, chunk) {
          received += chunk.toString("latin1");
          const head = "Connection: x-hop, close\r\nX-Hop: 1\r\nX-End: 1\r\n";
          socket.write(`HTTP/1.1 200 OK\r\n${head}Content-Length: 0\r\n\r\n`);
        },
      },
    });
    try {
      const reply = await new UpstreamClient(`http://127.0.0.1:${backend.port}`).send(
        request({
          method: "GET",
          headers: [
            ["connection", "keep-alive, X-Mine"],
            ["x-mine", "1"],
            ["x-kept", "1"],
          ],
          body: Buffer.from("body"),
        }),
      );
      expect(reply.headers).toEqual([["x-end", "1"]]);
      expect(received).toStartWith("GET /v1/x HTTP/1.1\r\n");
      expect(received).toContain("x-kept: 1\r\n");
      expect(received).not.toContain("x-mine");
      expect(received).toEndWith("content-length: 4\r\n\r\nbody");
    } finally {
      backend.stop(true);
    }
  });

  test("hands a redirect over instead of following it", async () => {
    const backend = startScriptedBackend();
    try {
      backend.reply("s", { status: 302, headers: { location: "http://127.0.0.1:1/" }, body: "" });
      const reply = await new UpstreamClient(backend.url).send(request());
      expect(reply.status).toBe(302);
      expect(reply.headers).toContainEqual(["location", "http://127.0.0.1:1/"]);
    } finally {
      await backend.stop();
    }
  });

  test("inflates a compressed body although identity was asked for", async () => {
    const backend = startScriptedBackend();
    try {
      const body = Bun.gzipSync(Buffer.from("text"));
      backend.reply("s", { status: 200, headers: { "content-encoding": "gzip" }, body });
      const reply = await new UpstreamClient(backend.url).send(request());
      expect(reply.contentLength).toBeNull();
      expect(new TextDecoder().decode(await readBody(reply.body))).toBe("text");
      expect(reply.headers.map(([name]) => name)).not.toContain("content-encoding");
    } finally {
      await backend.stop();
    }
  });

  test("reports a backend that is not there", async () => {
    const sending = new UpstreamClient(refusingUrl).send(request());
    await expect(sending).rejects.toThrow(UpstreamError);
    await expect(sending).rejects.toThrow(/^backend transport error: ECONNREFUSED: Unable/);
  });

  test("reports a backend that closes without an answer", async () => {
    const backend = startRawBackend("");
    try {
      const sending = new UpstreamClient(`http://127.0.0.1:${backend.port}`).send(request());
      await expect(sending).rejects.toThrow(/^backend transport error: /);
    } finally {
      backend.stop(true);
    }
  });

  test("reports a body that breaks off, while it is read", async () => {
    const backend = startRawBackend("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nshort");
    try {
      const reply = await new UpstreamClient(`http://127.0.0.1:${backend.port}`).send(request());
      expect(reply.contentLength).toBe(100);
      await expect(readBody(reply.body)).rejects.toThrow(/^backend transport error: /);
    } finally {
      backend.stop(true);
    }
  });
});
