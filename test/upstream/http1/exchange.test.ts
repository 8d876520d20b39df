import { describe, expect, test } from "bun:test";
import { UpstreamError } from "../../../src/errors.ts";
import { Exchange } from "../../../src/upstream/http1/exchange.ts";
import { latin1 } from "./parsed-response.ts";

const okHead = "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\n";

/** A connection in memory that takes `room` bytes before it is full. */
class FakeTransport {
  room = Number.POSITIVE_INFINITY;
  readonly written: Uint8Array[] = [];
  readonly calls: string[] = [];

  write(bytes: Uint8Array): number {
    if (this.room < 0) return -1;
    const taken = Math.min(bytes.length, this.room);
    this.room -= taken;
    this.written.push(bytes.slice(0, taken));
    return taken;
  }
  pause(): void {
    this.calls.push("pause");
  }
  resume(): void {
    this.calls.push("resume");
  }
  abort(): void {
    this.calls.push("abort");
  }
  get text(): string {
    return Buffer.concat(this.written).toString("latin1");
  }
}

function start({ body = "", room = Number.POSITIVE_INFINITY, method = "POST" } = {}) {
  const transport = new FakeTransport();
  transport.room = room;
  const exchange = new Exchange(transport, {
    method,
    head: latin1("HEAD "),
    body: latin1(body),
  });
  return { transport, exchange };
}

async function textOf(exchange: Exchange): Promise<string> {
  const { body } = await exchange.response;
  const chunks: Uint8Array[] = [];
  for await (const chunk of body) chunks.push(chunk);
  return Buffer.concat(chunks).toString("latin1");
}

describe("Exchange, the request", () => {
  test("goes out in one write when it is small", () => {
    const { transport } = start({ body: "body" });
    expect(transport.written.length).toBe(1);
    expect(transport.text).toBe("HEAD body");
  });

  test("goes out as the connection takes it", () => {
    const body = "0123456789".repeat(300_000);
    const { transport, exchange } = start({ body, room: 0 });
    for (let round = 0; transport.text.length < body.length + 5; round += 1) {
      expect(round).toBeLessThan(10);
      transport.room = 700_000;
      exchange.drained();
    }
    expect(transport.text === `HEAD ${body}`).toBe(true);
  });

  test("ends where the server answers with an error, and spoils the connection", async () => {
    const { transport, exchange } = start({ body: "x".repeat(100_000), room: 50_000 });
    exchange.received(latin1("HTTP/1.1 413 Too Large\r\nContent-Length: 2\r\n\r\nno"));
    transport.room = 100_000;
    exchange.drained();
    expect(transport.text.length).toBe(50_000);
    expect((await exchange.response).head.status).toBe(413);
    expect(await textOf(exchange)).toBe("no");
    expect([exchange.isFinished, exchange.mayReuse]).toEqual([true, false]);
  });

  test("goes on while a good answer arrives, whose early end spoils the connection", () => {
    const { transport, exchange } = start({ body: "x".repeat(100_000), room: 50_000 });
    exchange.received(latin1(okHead));
    transport.room = 10_000;
    exchange.drained();
    expect(transport.text.length).toBe(60_000);
    exchange.received(latin1("done"));
    expect([exchange.isFinished, exchange.mayReuse]).toEqual([true, false]);
  });

  test("that meets a closed connection does not hide what the server said", async () => {
    const { exchange } = start({ body: "x", room: -1 });
    exchange.received(latin1(`${okHead}good`));
    expect(await textOf(exchange)).toBe("good");
  });
});

describe("Exchange, the response", () => {
  test("leaves the connection to the next one when both are complete", async () => {
    const { exchange } = start();
    exchange.received(latin1(okHead));
    expect(exchange.isFinished).toBe(false);
    exchange.received(latin1("good"));
    expect([exchange.isFinished, exchange.mayReuse]).toEqual([true, true]);
    exchange.closed(null);
    expect(await textOf(exchange)).toBe("good");
  });

  test.each([
    ["that the server closes", "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"],
    ["of HTTP/1.0", "HTTP/1.0 200 OK\r\nContent-Length: 0\r\n\r\n"],
    ["with surplus", "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\nHTTP/1.1 200 OK\r\n"],
  ])("spoils a connection %s", (_, text) => {
    const { exchange } = start();
    exchange.received(latin1(text));
    expect([exchange.isFinished, exchange.mayReuse]).toEqual([true, false]);
  });

  test("hands on a chunk that is all body, and frees any other once it is copied", async () => {
    const { exchange } = start();
    const first = new Uint8Array(latin1("HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nab"));
    const second = new Uint8Array(latin1("cd"));
    exchange.received(first);
    exchange.received(second);
    expect(first.length).toBe(0);
    const { body } = await exchange.response;
    const iterator = body[Symbol.asyncIterator]();
    const copied = (await iterator.next()).value as Uint8Array;
    expect([copied.buffer.byteLength, Buffer.from(copied).toString()]).toEqual([2, "ab"]);
    expect((await iterator.next()).value).toBe(second);
  });

  test("gathers the pieces of one chunk", async () => {
    const { exchange } = start();
    const head = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n";
    exchange.received(latin1(`${head}1\r\na\r\n2\r\nbc\r\n3\r\nd`));
    exchange.received(latin1("ef\r\n0\r\n\r\n"));
    const { body } = await exchange.response;
    const chunks: string[] = [];
    for await (const chunk of body) chunks.push(Buffer.from(chunk).toString());
    expect(chunks).toEqual(["abcd", "ef"]);
  });

  test("that is malformed fails before its head, or in the body behind what was good", async () => {
    const early = start().exchange;
    early.received(latin1("SSH-2.0\r\n"));
    expect([early.isFinished, early.mayReuse]).toEqual([true, false]);
    await expect(early.response).rejects.toThrow(UpstreamError);
    await expect(early.response).rejects.toThrow(
      "backend transport error: EPROTO: malformed response: expected a status line",
    );
    const late = start().exchange;
    late.received(latin1("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\nzz\r\n"));
    expect([late.isFinished, late.mayReuse]).toEqual([true, false]);
    const iterator = (await late.response).body[Symbol.asyncIterator]();
    expect(Buffer.from((await iterator.next()).value as Uint8Array).toString()).toBe("a");
    await expect(iterator.next()).rejects.toThrow("expected a hexadecimal chunk size");
  });

  test("that breaks off fails where it is", async () => {
    const early = start().exchange;
    early.closed(null);
    await expect(early.response).rejects.toThrow(
      "backend transport error: ECONNRESET: the backend closed the connection before it answered",
    );
    const late = start().exchange;
    late.received(latin1(`${okHead}ab`));
    late.closed(new Error("reset"));
    await expect(textOf(late)).rejects.toThrow("after 2 of 4 bytes of the body");
    expect(late.isFinished).toBe(true);
  });

  test("that nobody wants any more ends the connection", async () => {
    const { transport, exchange } = start();
    exchange.received(latin1(`${okHead}ab`));
    await (await exchange.response).body[Symbol.asyncIterator]().return?.();
    expect(transport.calls).toEqual(["abort"]);
    expect([exchange.isFinished, exchange.mayReuse]).toEqual([true, false]);
  });
});
