import { expect, test } from "bun:test";
import {
  type HttpRequest,
  HttpRequestReader,
  HttpSyntaxError,
} from "../../src/mock-engine/http-request-reader.ts";

const encoder = new TextEncoder();

function read(text: string, chunkBytes = Number.POSITIVE_INFINITY): HttpRequest[] {
  const reader = new HttpRequestReader();
  const bytes = encoder.encode(text);
  const requests: HttpRequest[] = [];
  for (let at = 0; at < bytes.length; at += chunkBytes) {
    requests.push(...reader.push(bytes.slice(at, at + chunkBytes)));
  }
  return requests;
}

const wire =
  "GET /a%2Fb?x=1&y=?z HTTP/1.1\r\nHost: h\r\nX-A: 1\r\nx-a: 2\r\n\r\n" +
  "POST / HTTP/1.1\r\ncontent-length: 5\r\n\r\nhello" +
  "POST /c HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0a;ext=1\r\n0123456789\r\n0\r\nt: 1\r\n\r\n" +
  "POST /e HTTP/1.0\r\nContent-Length: 0\r\n\r\n";

test("push() reads lengths, chunks, pipelined requests, and keeps targets raw", () => {
  const requests = read(wire);
  expect(
    requests.map(({ method, path, query, body }) => ({
      method,
      path,
      query,
      body: Buffer.from(body).toString(),
    })),
  ).toEqual([
    { method: "GET", path: "/a%2Fb", query: "x=1&y=?z", body: "" },
    { method: "POST", path: "/", query: "", body: "hello" },
    { method: "POST", path: "/c", query: "", body: "abc0123456789" },
    { method: "POST", path: "/e", query: "", body: "" },
  ]);
  expect({ ...requests[0]?.headers }).toEqual({ host: "h", "x-a": "1, 2" });
});

test("push() gives the same requests however the bytes are cut", () => {
  const whole = JSON.stringify(read(wire));
  for (let chunkBytes = 1; chunkBytes < 80; chunkBytes += 1) {
    expect(JSON.stringify(read(wire, chunkBytes))).toBe(whole);
  }
});

test("push() reports what is no request", () => {
  for (const text of [
    "hello\r\n\r\n",
    "GET / HTTP/2\r\n\r\n",
    "GET / HTTP/1.1\r\nno colon\r\n\r\n",
    "POST / HTTP/1.1\r\ncontent-length: -1\r\n\r\n",
    "POST / HTTP/1.1\r\ncontent-length: many\r\n\r\n",
    "POST / HTTP/1.1\r\ncontent-length: 99999999999\r\n\r\n",
    "POST / HTTP/1.1\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n",
    `GET / HTTP/1.1\r\n${"x".repeat(70_000)}`,
  ]) {
    expect(() => read(text)).toThrow(HttpSyntaxError);
  }
});
