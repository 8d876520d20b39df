import { describe, expect, test } from "bun:test";
import { chunkExtensionBytesMax } from "../../../src/limits.ts";
import { ChunkedBody } from "../../../src/upstream/http1/chunked-body.ts";
import { MalformedResponseError } from "../../../src/upstream/http1/malformed-response.ts";
import { latin1 } from "./parsed-response.ts";

function read(text: string) {
  const body = new ChunkedBody();
  const pieces: string[] = [];
  const end = body.read(latin1(text), 0, (bytes) => pieces.push(Buffer.from(bytes).toString()));
  return { body: pieces.join(""), end, complete: body.complete };
}

describe("ChunkedBody.read()", () => {
  test("takes the data out of its framing and stops at the end", () => {
    const text = `3\r\nabc\r\nfF;x\r\n${"y".repeat(255)}\r\n0;z\r\nt: 1\r\n\r\n`;
    expect(read(`${text}rest`)).toEqual({
      body: `abc${"y".repeat(255)}`,
      end: text.length,
      complete: true,
    });
  });

  test("takes white space behind a size and leading zeros", () => {
    expect(read("0003 \t\r\nabc\r\n00\r\n\r\n")).toMatchObject({ body: "abc", complete: true });
  });

  test("waits for what is missing", () => {
    for (const text of ["", "3", "3\r", "3\r\n", "3\r\nab", "3\r\nabc", "0\r\n", "0\r\n\r"]) {
      expect([text, read(text).complete]).toEqual([text, false]);
    }
  });

  test("skips an extension of chunkExtensionBytesMax and no more", () => {
    const text = (bytes: number) => `3;${"x".repeat(bytes)}\r\nabc\r\n0\r\n\r\n`;
    expect(read(text(chunkExtensionBytesMax))).toMatchObject({ body: "abc", complete: true });
    expect(() => read(text(chunkExtensionBytesMax + 1))).toThrow("a chunk extension of at most");
  });

  test.each([
    "\r\n",
    "g\r\n",
    "-1\r\n",
    "0x1\r\n",
    "3\nabc",
    "3;x\nabc",
    "3\rabc",
    "3\r\nabcd",
    "3\r\nabc\nx",
    "20000000000000\r\n",
    "0\r\nt: 1\n",
  ])("refuses %j", (text) => {
    expect(() => read(text)).toThrow(MalformedResponseError);
  });
});
