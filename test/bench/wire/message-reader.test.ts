import { describe, expect, test } from "bun:test";
import { HttpMessageReader, HttpSyntaxError } from "../../../bench/wire/message-reader.ts";
import { randomFrom, seedOf } from "../../harness/random.ts";

interface Message {
  readonly startLine: string;
  readonly type: string | null;
  body: string;
}

function collect() {
  const messages: Message[] = [];
  let open: Message | null = null;
  const reader = new HttpMessageReader({
    head: (head) => {
      open = { startLine: head.startLine, type: head.header("content-type"), body: "" };
    },
    body: (slice) => {
      if (open !== null) open.body += Buffer.from(slice).toString("latin1");
    },
    end: () => {
      if (open !== null) messages.push(open);
      open = null;
    },
  });
  return { reader, messages };
}

const wire = [
  "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 5\r\n\r\nhello",
  "HTTP/1.1 204 No Content\r\n\r\n",
  "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n",
  "3\r\nabc\r\nA;x=y\r\n0123456789\r\n0\r\n\r\n",
  "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n2\r\nde\r\n0\r\ntrailer: 1\r\n\r\n",
  "HTTP/1.1 500 Oh\r\ncontent-length: 0\r\n\r\n",
].join("");

const expected = [
  { startLine: "HTTP/1.1 200 OK", type: "text/plain", body: "hello" },
  { startLine: "HTTP/1.1 204 No Content", type: null, body: "" },
  { startLine: "HTTP/1.1 200 OK", type: null, body: "abc0123456789" },
  { startLine: "HTTP/1.1 200 OK", type: null, body: "de" },
  { startLine: "HTTP/1.1 500 Oh", type: null, body: "" },
];

describe("HttpMessageReader", () => {
  test("finds the same messages in chunks of any size", () => {
    const random = randomFrom(seedOf("message-reader"));
    for (let run = 0; run < 200; run += 1) {
      const { reader, messages } = collect();
      for (let at = 0; at < wire.length; ) {
        const end = at + random.integer(1, run === 0 ? 1 : 40);
        reader.push(Buffer.from(wire.slice(at, end), "latin1"));
        at = end;
      }
      expect(messages).toEqual(expected);
      expect(reader.isInside).toBe(false);
    }
  });

  test("tells whether it is inside of a message", () => {
    const { reader } = collect();
    expect(reader.isInside).toBe(false);
    reader.push(Buffer.from("HTTP/1.1 200"));
    expect(reader.isInside).toBe(true);
    reader.push(Buffer.from(" OK\r\ncontent-length: 2\r\n\r\na"));
    expect(reader.isInside).toBe(true);
    reader.push(Buffer.from("b"));
    expect(reader.isInside).toBe(false);
  });

  for (const [what, text] of [
    ["a length that is no number", "HTTP/1.1 200 OK\r\ncontent-length: x\r\n\r\n"],
    [
      "a chunk size that is no number",
      "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nx\r\n",
    ],
    ["a chunk beyond its size", "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n1\r\nab\r\n"],
    ["a head without end", "x".repeat(70_000)],
  ] as const) {
    test(`refuses ${what}`, () => {
      expect(() => collect().reader.push(Buffer.from(text))).toThrow(HttpSyntaxError);
    });
  }
});
