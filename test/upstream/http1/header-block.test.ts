import { describe, expect, test } from "bun:test";
import { backendHeaderBytesMax } from "../../../src/limits.ts";
import { HeaderBlockEnd } from "../../../src/upstream/http1/header-block.ts";
import { latin1 } from "./parsed-response.ts";

describe("HeaderBlockEnd.find()", () => {
  test("finds the blank line in any cut, and counts the bytes up to it", () => {
    const text = "a: b\r\nc: d\r\n\r\nrest\r\n\r\n";
    for (let cut = 0; cut <= 14; cut += 1) {
      const block = new HeaderBlockEnd();
      const first = block.find(latin1(text.slice(0, cut)), 0);
      const end = cut === 14 ? first : cut + block.find(latin1(text.slice(cut)), 0);
      expect([cut, end, block.byteLength]).toEqual([cut, 14, 14]);
    }
  });

  test("finds an empty block", () => {
    expect(new HeaderBlockEnd().find(latin1("..\r\n..."), 2)).toBe(4);
  });

  test("takes a CR inside a line for a character, and no LF without one", () => {
    expect(new HeaderBlockEnd().find(latin1("a\rb\r\r\n\r\n"), 0)).toBe(8);
    expect(() => new HeaderBlockEnd().find(latin1("a\r\n\n"), 0)).toThrow("expected CRLF");
  });

  test("takes a block of the largest size and none beyond it", () => {
    const text = (bytes: number) => latin1(`${"x".repeat(bytes - 4)}\r\n\r\n`);
    expect(new HeaderBlockEnd().find(text(backendHeaderBytesMax), 0)).toBe(backendHeaderBytesMax);
    expect(() => new HeaderBlockEnd().find(text(backendHeaderBytesMax + 1), 0)).toThrow("at most");
  });
});
