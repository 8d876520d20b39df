import { describe, expect, test } from "bun:test";
import { AssertionError } from "../../../src/assert.ts";
import { MalformedResponseError } from "../../../src/upstream/http1/malformed-response.ts";
import { ResponseParser } from "../../../src/upstream/http1/response-parser.ts";
import { TruncatedResponseError } from "../../../src/upstream/http1/truncated-response.ts";
import { latin1, parseResponse } from "./parsed-response.ts";

const parse = (text: string, options: Parameters<typeof parseResponse>[1] = {}) =>
  parseResponse([latin1(text)], options);

describe("ResponseParser: a response", () => {
  test("ends with its Content-Length; what comes behind it is surplus", () => {
    const text = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello";
    expect(parse(text)).toMatchObject({ body: "hello", ended: true, surplus: false });
    expect(parse(`${text}HTTP/1.1 200`)).toMatchObject({ body: "hello", surplus: true });
    expect(parseResponse([latin1(text), latin1("x")])).toMatchObject({ surplus: true });
  });

  test("ends with its last chunk, extensions and trailers skipped", () => {
    const head = "HTTP/1.1 200 OK\r\nTransfer-Encoding: Chunked\r\n\r\n";
    const text = `${head}5;a="b"\r\nhello\r\n00A \r\n0123456789\r\n0\r\nx-t: 1\r\n\r\n`;
    expect(parse(text)).toMatchObject({ body: "hello0123456789", ended: true, surplus: false });
    expect(parse(`${text}!`).surplus).toBe(true);
  });

  test("ends with the connection when it has no length, and only if that ended cleanly", () => {
    const text = "HTTP/1.0 200 OK\r\n\r\nhello";
    expect(parse(text)).toMatchObject({ body: "hello", ended: false });
    expect(parse(text, { ending: "clean" })).toMatchObject({ body: "hello", ended: true });
    expect(parse(text, { ending: "reset" }).error).toBeInstanceOf(TruncatedResponseError);
  });

  test.each([
    ["HEAD", 200],
    ["GET", 204],
    ["GET", 304],
  ])("has no body: %s, status %d", (method, status) => {
    const text = `HTTP/1.1 ${status} X\r\nContent-Length: 5\r\n\r\n`;
    expect(parse(text, { method })).toMatchObject({ body: "", ended: true, surplus: false });
  });

  test("of length 0 ends with its head", () => {
    expect(parse("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n").ended).toBe(true);
  });

  test("comes behind any number of interim ones", () => {
    const interim = "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n";
    const text = `${interim.repeat(50)}HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\n!`;
    expect(parse(text)).toMatchObject({ head: { status: 200 }, body: "!", ended: true });
  });
});

describe("ResponseParser: pieces of a body", () => {
  test("are the chunks themselves, and views where a chunk holds something else as well", () => {
    const first = latin1("HTTP/1.1 200 OK\r\nContent-Length: 12\r\n\r\nab");
    const second = latin1("cdefgh");
    const third = latin1("ijkl+");
    const { pieces } = parseResponse([first, second, third]);
    expect(pieces.map((piece) => piece.buffer)).toEqual([
      first.buffer,
      second.buffer,
      third.buffer,
    ]);
    expect(pieces[1]).toBe(second);
  });

  test("are the chunks themselves in close-delimited and chunked bodies too", () => {
    const piece = latin1("x".repeat(10));
    expect(parseResponse([latin1("HTTP/1.0 200 OK\r\n\r\n"), piece]).pieces[0]).toBe(piece);
    const head = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n14\r\n";
    expect(parseResponse([latin1(head), piece]).pieces[0]).toBe(piece);
  });
});

describe("ResponseParser: failures", () => {
  test.each([
    ["another protocol, at its first byte", "\x15\x03\x01"],
    ["another protocol that looks alike at first", "HTTP/2 200\r\n"],
    ["lines that end in LF", "HTTP/1.1 200 OK\n"],
    ["a switch of protocols", "HTTP/1.1 101 X\r\n\r\n"],
    ["endless headers", `HTTP/1.1 200 OK\r\n${"x: y\r\n".repeat(30_000)}`],
    ["endless reason", `HTTP/1.1 200 ${"x".repeat(200_000)}`],
    [
      "an endless trailer",
      `HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n${"x".repeat(200_000)}`,
    ],
  ])("refuses %s, without waiting for more", (_, text) => {
    expect(parse(text).error).toBeInstanceOf(MalformedResponseError);
    // Byte by byte it is refused as well.
    const bytes = latin1(text);
    const single = Array.from(bytes, (_, index) => bytes.subarray(index, index + 1));
    expect(parseResponse(single).error).toBeInstanceOf(MalformedResponseError);
  });

  test("quotes what came and says what was expected", () => {
    expect(parse("SSH-2.0-x\r\n").error?.message).toBe(
      'malformed response: expected a status line like "HTTP/1.1 200 OK", got "SSH-2.0-x\\r\\n"',
    );
  });

  test.each([
    ["", "before it answered"],
    ["HTTP/1.1 20", "in the middle of the headers"],
    ["HTTP/1.1 100 Continue\r\n\r\n", "in the middle of the headers"],
    ["HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc", "after 3 of 9 bytes of the body"],
    ["HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n", "after 3 bytes"],
  ])("says where a response broke off: %j", (text, where) => {
    const { error, ended } = parse(text, { ending: "clean" });
    expect(error).toBeInstanceOf(TruncatedResponseError);
    expect(error?.message).toContain(`the backend closed the connection ${where}`);
    expect(ended).toBe(false);
  });

  test("leave the parser dead, also when the handler throws", () => {
    const parser = new ResponseParser("GET", {
      head: () => {
        throw new Error("handler");
      },
      body() {},
      end() {},
    });
    const text = "HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\n";
    expect(() => parser.push(latin1(text))).toThrow("handler");
    expect(() => parser.push(latin1("x"))).toThrow(AssertionError);
  });
});
