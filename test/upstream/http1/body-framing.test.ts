import { describe, expect, test } from "bun:test";
import type { HeaderList } from "../../../src/operation.ts";
import {
  bodyFraming,
  contentLength,
  keepsConnection,
} from "../../../src/upstream/http1/body-framing.ts";
import { MalformedResponseError } from "../../../src/upstream/http1/malformed-response.ts";

const head = (headers: HeaderList, { status = 200, minorVersion = 1 } = {}) => ({
  status,
  minorVersion,
  headers,
});

describe("bodyFraming()", () => {
  test.each([
    [[["content-length", "0"]], { kind: "length", byteLength: 0 }],
    [[["content-length", "0012"]], { kind: "length", byteLength: 12 }],
    [
      [
        ["content-length", "7"],
        ["content-length", "7"],
      ],
      { kind: "length", byteLength: 7 },
    ],
    [[["transfer-encoding", "CHUNKED"]], { kind: "chunked" }],
    [[], { kind: "untilClose" }],
  ] as [HeaderList, object][])("of %j is %j", (headers, framing) => {
    expect(bodyFraming("POST", head(headers))).toEqual(framing as never);
  });

  test("is no body after HEAD, 204 and 304, whatever the headers say", () => {
    const headers: HeaderList = [["transfer-encoding", "chunked"]];
    const none = { kind: "length", byteLength: 0 };
    expect(bodyFraming("HEAD", head(headers))).toEqual(none as never);
    expect(bodyFraming("GET", head(headers, { status: 204 }))).toEqual(none as never);
    expect(bodyFraming("GET", head(headers, { status: 304 }))).toEqual(none as never);
  });

  test.each([
    [[["content-length", "-1"]]],
    [[["content-length", "1e3"]]],
    [[["content-length", ""]]],
    [[["content-length", "5, 5"]]],
    [[["content-length", "9007199254740992"]]],
    [
      [
        ["content-length", "1"],
        ["content-length", "2"],
      ],
    ],
    [
      [
        ["content-length", "1"],
        ["transfer-encoding", "chunked"],
      ],
    ],
    [[["transfer-encoding", "gzip, chunked"]]],
    [[["transfer-encoding", "identity"]]],
    [
      [
        ["transfer-encoding", "chunked"],
        ["transfer-encoding", "chunked"],
      ],
    ],
  ] as [HeaderList][])("refuses %j", (headers) => {
    expect(() => bodyFraming("GET", head(headers))).toThrow(MalformedResponseError);
  });

  test("refuses chunks in HTTP/1.0, where nobody may send them", () => {
    const old = head([["transfer-encoding", "chunked"]], { minorVersion: 0 });
    expect(() => bodyFraming("GET", old)).toThrow(MalformedResponseError);
  });
});

describe("contentLength()", () => {
  test("is what the header says, or null", () => {
    expect(contentLength([["content-length", "5"]])).toBe(5);
    expect(contentLength([])).toBeNull();
  });
});

describe("keepsConnection()", () => {
  test.each([
    [1, [], true],
    [1, [["connection", "Close"]], false],
    [1, [["connection", "x, close"]], false],
    [
      1,
      [
        ["connection", "x"],
        ["connection", "close"],
      ],
      false,
    ],
    [0, [], false],
    [0, [["connection", "keep-alive"]], true],
  ] as [number, HeaderList, boolean][])("HTTP/1.%d with %j: %p", (minorVersion, headers, keeps) => {
    expect(keepsConnection(head(headers, { minorVersion }))).toBe(keeps);
  });
});
