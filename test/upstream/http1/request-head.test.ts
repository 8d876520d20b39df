import { describe, expect, test } from "bun:test";
import { AssertionError } from "../../../src/assert.ts";
import { InvalidRequestError } from "../../../src/errors.ts";
import type { HeaderList } from "../../../src/operation.ts";
import { parseOrigin } from "../../../src/upstream/http1/origin.ts";
import { requestHead } from "../../../src/upstream/http1/request-head.ts";

interface Parts {
  readonly url?: string;
  readonly method?: string;
  readonly target?: string;
  readonly headers?: HeaderList;
  readonly bodyBytes?: number;
}

function head({ url = "http://h:1", method = "POST", ...rest }: Parts = {}): string {
  const { target = "/v1", headers = [], bodyBytes = 0 } = rest;
  const bytes = requestHead(parseOrigin(url), { method, target, headers }, bodyBytes);
  return Buffer.from(bytes).toString("latin1");
}

describe("requestHead()", () => {
  test("writes request line, host, the headers as given, and the length", () => {
    const headers: HeaderList = [
      ["x-a", "1"],
      ["x-a", "\xe9"],
    ];
    expect(head({ url: "http://h:1/base/", target: "/a%2Fb?q=%20", headers, bodyBytes: 3 })).toBe(
      "POST /base/a%2Fb?q=%20 HTTP/1.1\r\nhost: h:1\r\nx-a: 1\r\nx-a: \xe9\r\n" +
        "content-length: 3\r\n\r\n",
    );
  });

  test.each([
    ["POST", 0, "content-length: 0"],
    ["PUT", 0, "content-length: 0"],
    ["GET", 0, null],
    ["HEAD", 0, null],
    ["DELETE", 0, null],
    ["GET", 2, "content-length: 2"],
  ])("gives the length of a %s of %d bytes: %p", (method, bodyBytes, expected) => {
    const [, , ...lines] = head({ method, bodyBytes }).trimEnd().split("\r\n");
    expect(lines).toEqual(expected === null ? [] : [expected]);
  });

  test("encodes what is not ASCII in a target as UTF-8, halves of pairs included", () => {
    expect(head({ target: "/é/你?q=😀\ud800" })).toStartWith(
      "POST /%C3%A9/%E4%BD%A0?q=%F0%9F%98%80%EF%BF%BD HTTP/1.1\r\n",
    );
  });

  test("puts the credentials of the URL in the place of the client's", () => {
    const headers: HeaderList = [["authorization", "Bearer dummy"]];
    expect(head({ url: "http://u:p@h", headers })).toContain("authorization: Basic dTpw\r\n");
    expect(head({ url: "http://u:p@h", headers })).not.toContain("Bearer");
    expect(head({ headers })).toContain("authorization: Bearer dummy\r\n");
  });

  const breaks = ["\r", "\n", "\r\nx: y", "\0", "\x7f", "\x1b"];
  test.each(breaks)("refuses %j in a method, target, header name or value", (text) => {
    for (const parts of [
      { method: `GET${text}` },
      { target: `/a${text}` },
      { headers: [[`x${text}`, "y"]] },
      { headers: [["x", `y${text}z`]] },
    ] satisfies Parts[]) {
      expect(() => head(parts)).toThrow(InvalidRequestError);
    }
  });

  test.each([
    { method: "" },
    { method: "CONNECT" },
    { method: "GET /" },
    { target: "/a b" },
    { target: "a" },
    { headers: [["", "y"]] },
    { headers: [["x:", "y"]] },
    { headers: [["x", "你"]] },
  ] satisfies Parts[])("refuses %j", (parts) => {
    expect(() => head(parts)).toThrow(InvalidRequestError);
  });

  test.each(["content-length", "transfer-encoding", "host", "connection", "expect"])(
    "is not to be given %s",
    (name) => {
      expect(() => head({ headers: [[name, "x"]] })).toThrow(AssertionError);
    },
  );
});
