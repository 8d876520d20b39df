import { describe, expect, test } from "bun:test";
import { backendHeaderCountMax } from "../../../src/limits.ts";
import { MalformedResponseError } from "../../../src/upstream/http1/malformed-response.ts";
import { parseResponseHead } from "../../../src/upstream/http1/response-head.ts";
import { latin1 } from "./parsed-response.ts";

const parse = (text: string) => parseResponseHead(latin1(`${text}\r\n\r\n`));

describe("parseResponseHead()", () => {
  test("gives status, version and headers: names lower-case, values trimmed, order kept", () => {
    const lines = [
      "X-B:  1 \t",
      "Set-Cookie: a",
      "x-b: \t2",
      "Set-Cookie: b",
      "Empty:",
      "U: \xe9:\xa0",
    ];
    expect(parse(`HTTP/1.0 404 Not Found\r\n${lines.join("\r\n")}`)).toEqual({
      status: 404,
      minorVersion: 0,
      headers: [
        ["x-b", "1"],
        ["set-cookie", "a"],
        ["x-b", "2"],
        ["set-cookie", "b"],
        ["empty", ""],
        ["u", "\xe9:\xa0"],
      ],
    });
  });

  test.each(["HTTP/1.1 200", "HTTP/1.1 200 ", "HTTP/1.1 599 A B"])("takes %j", (line) => {
    expect(parse(line).headers).toEqual([]);
  });

  test.each([
    "HTTP/1.2 200 OK",
    "HTTP/1.1 600 OK",
    "HTTP/1.1 099 OK",
    "HTTP/1.1 20 OK",
    "HTTP/1.1  200 OK",
    "HTTP/1.1 200OK",
    "HTTP/1.1 200 OK\r\nno colon",
    "HTTP/1.1 200 OK\r\nspace : x",
    "HTTP/1.1 200 OK\r\n: x",
    "HTTP/1.1 200 OK\r\nfolded: x\r\n y: z",
    "HTTP/1.1 200 OK\r\nx: a\0b",
    "HTTP/1.1 200 OK\r\nx: a\rb",
    "HTTP/1.1 200 OK\r\nx: a\x7fb",
    "HTTP/1.1 200 OK\r\nn\xe9: x",
    "HTTP/1.1 200\rOK",
  ])("refuses %j", (text) => {
    expect(() => parse(text)).toThrow(MalformedResponseError);
  });

  test("takes backendHeaderCountMax headers and no more", () => {
    const text = (count: number) => `HTTP/1.1 200 OK${"\r\nx: y".repeat(count)}`;
    expect(parse(text(backendHeaderCountMax)).headers.length).toBe(backendHeaderCountMax);
    expect(() => parse(text(backendHeaderCountMax + 1))).toThrow("at most");
  });
});
