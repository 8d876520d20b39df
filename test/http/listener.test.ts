import { afterEach, describe, expect, test } from "bun:test";
import { type Dispatch, type Listener, startListener } from "../../src/http/listener.ts";
import { configureLog } from "../../src/log.ts";
import { jsonReply, type Reply } from "../../src/operation.ts";

configureLog("test", "silent");

let listener: Listener | undefined;

async function start(dispatch: Dispatch): Promise<string> {
  listener = await startListener({ hostname: "127.0.0.1", port: 0, dispatch });
  return listener.url;
}

afterEach(async () => {
  await listener?.stop(0);
  listener = undefined;
});

function streamed(
  chunks: () => AsyncGenerator<Uint8Array>,
  byteLength: number | null = null,
): Reply {
  return { status: 200, headers: [], body: { byteLength, chunks: chunks() } };
}

/** Sends raw bytes over one connection and collects all that comes back until it closes. */
async function exchange(url: string, text: string): Promise<string> {
  const { hostname, port } = new URL(url);
  const done = Promise.withResolvers<string>();
  let received = "";
  await Bun.connect({
    hostname,
    port: Number(port),
    socket: {
      open: (socket) => void socket.write(text),
      data: (_, chunk) => {
        received += chunk.toString("latin1");
      },
      close: () => done.resolve(received),
      error: (_, error) => done.reject(error),
    },
  });
  return done.promise;
}

describe("startListener()", () => {
  test("gives the dispatcher operation and body, and the client its reply", async () => {
    const url = await start(async (operation, body) =>
      jsonReply(200, { kind: operation.kind, bytes: body.length }),
    );
    const response = await fetch(`${url}/sessions/s/v1/chat/completions`, {
      method: "POST",
      body: "12345",
    });
    expect(response.headers.get("content-type")).toBe("application/json");
    expect(await response.json()).toEqual({ kind: "chat_completions", bytes: 5 });
  });

  test("sends one copy of each header and the right length", async () => {
    const url = await start(async () => ({
      status: 200,
      headers: [
        ["content-type", "text/plain"],
        ["set-cookie", "a=1"],
        ["set-cookie", "b=2"],
      ],
      body: Buffer.from("hello"),
    }));
    const text = await exchange(
      url,
      "GET /health HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n",
    );
    const [head = "", body] = text.split("\r\n\r\n");
    const names = head
      .toLowerCase()
      .split("\r\n")
      .slice(1)
      .map((line) => line.split(":")[0]);
    expect(names.filter((name) => name === "date")).toHaveLength(1);
    expect(names.filter((name) => name === "content-length")).toHaveLength(1);
    expect(names.filter((name) => name === "set-cookie")).toHaveLength(2);
    expect(names).not.toContain("server");
    expect(head).toContain("Content-Length: 5");
    expect(body).toBe("hello");
  });

  test("keeps the connection open between requests and closes it when told", async () => {
    const url = await start(async () => jsonReply(200, {}));
    const one = "GET /health HTTP/1.1\r\nHost: h\r\n\r\n";
    const last = "GET /health HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n";
    const text = await exchange(url, one + one + last);
    expect(text.match(/HTTP\/1\.1 200 OK/g)).toHaveLength(3);
  });

  test("answers 500 as JSON when the dispatcher rejects", async () => {
    const url = await start(() => Promise.reject(new Error("a bug")));
    const response = await fetch(`${url}/health`);
    expect(response.status).toBe(500);
    expect(await response.json()).toEqual({ error: "internal error: a bug" });
  });

  test("sends no body with 204", async () => {
    const url = await start(async () => ({ status: 204, headers: [], body: new Uint8Array(0) }));
    const text = await exchange(
      url,
      "DELETE /sessions/s HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n",
    );
    expect(text).toStartWith("HTTP/1.1 204 No Content\r\n");
    expect(text).toEndWith("\r\n\r\n");
  });
});

test("startListener() does not call the dispatcher for a body that never came", async () => {
  let dispatched = 0;
  const url = await start(async () => {
    dispatched++;
    return jsonReply(200, {});
  });
  const { hostname, port } = new URL(url);
  const left = Promise.withResolvers<void>();
  const socket = await Bun.connect({
    hostname,
    port: Number(port),
    socket: { data() {}, close: () => left.resolve() },
  });
  socket.write("POST /sessions HTTP/1.1\r\nHost: h\r\nContent-Length: 10\r\n\r\nhalf");
  socket.terminate();
  await left.promise;
  const last = "GET /nothing HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n";
  expect(await exchange(url, last)).toStartWith("HTTP/1.1 404");
  expect(dispatched).toBe(0);
});

describe("startListener() streams", () => {
  test("pulls a body slice by slice as the client reads", async () => {
    let produced = 0;
    const slice = new Uint8Array(1 << 20);
    const url = await start(async () =>
      streamed(async function* () {
        for (; produced < 256; produced++) yield slice;
      }),
    );
    const response = await fetch(`${url}/sessions/s`);
    const reader = response.body?.getReader();
    await reader?.read();
    // What lies between the generator and a client that reads slowly are socket buffers.
    expect(produced).toBeLessThan(200);
    let bytes = 0;
    for (let next = await reader?.read(); next && !next.done; next = await reader?.read()) {
      bytes += next.value.length;
    }
    expect(bytes).toBeGreaterThan(255 << 20);
    expect(produced).toBe(256);
  });

  test("breaks the connection when the stream fails, never ends it as if complete", async () => {
    const url = await start(async () =>
      streamed(async function* () {
        yield Buffer.from("part");
        await Bun.sleep(0);
        throw new Error("cut");
      }),
    );
    const text = await exchange(
      url,
      "GET /sessions/s HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n",
    ).catch(() => "reset");
    expect(text).not.toContain("\r\n0\r\n\r\n");
  });

  test("releases the body when the client leaves in the middle", async () => {
    const released = Promise.withResolvers<void>();
    const url = await start(async () =>
      streamed(async function* () {
        try {
          for (;;) yield new Uint8Array(1 << 20);
        } finally {
          released.resolve();
        }
      }),
    );
    const leaving = new AbortController();
    const response = await fetch(`${url}/sessions/s`, { signal: leaving.signal });
    await response.body?.getReader().read();
    leaving.abort();
    await released.promise;
  });

  test("releases the body when the client left before the reply was there", async () => {
    const called = Promise.withResolvers<void>();
    const gate = Promise.withResolvers<void>();
    const released = Promise.withResolvers<void>();
    const chunks = {
      [Symbol.asyncIterator]: () => ({
        // Without end: whichever is first, the news of the client or the reply, it must be let go.
        next: async () => ({ done: false as const, value: new Uint8Array(1 << 16) }),
        return: async () => {
          released.resolve();
          return { done: true as const, value: undefined };
        },
      }),
    };
    const url = await start(async () => {
      called.resolve();
      await gate.promise;
      return { status: 200, headers: [], body: { byteLength: null, chunks } };
    });
    const leaving = new AbortController();
    const response = fetch(`${url}/sessions/s`, { signal: leaving.signal });
    response.catch(() => {});
    await called.promise;
    leaving.abort();
    // The server must have noticed before the reply arrives: the next connection proves that the
    // event loop went round.
    await exchange(url, "GET /nothing HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n");
    gate.resolve();
    await released.promise;
  });
});

describe("Listener.stop()", () => {
  test("lets a reply under way finish", async () => {
    const called = Promise.withResolvers<void>();
    const gate = Promise.withResolvers<void>();
    const url = await start(async () => {
      called.resolve();
      await gate.promise;
      return jsonReply(200, { late: true });
    });
    const response = fetch(`${url}/health`);
    await called.promise;
    const stopped = listener?.stop(10_000);
    gate.resolve();
    expect(await (await response).json()).toEqual({ late: true });
    await stopped;
    await expect(fetch(`${url}/health`)).rejects.toThrow();
  });

  test("does not wait for ever", async () => {
    const called = Promise.withResolvers<void>();
    const url = await start(async () => {
      called.resolve();
      return new Promise<Reply>(() => {});
    });
    const response = fetch(`${url}/health`).catch(() => "closed");
    await called.promise;
    await listener?.stop(1);
    expect(await response).toBe("closed");
  });
});
