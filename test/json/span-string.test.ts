import { describe, expect, test } from "bun:test";
import { SpanSyntaxError } from "../../src/json/span-error.ts";
import { SpanStream } from "../../src/json/span-stream.ts";
import { indexOfControl, StringScanner } from "../../src/json/span-string.ts";
import { CollectingSink } from "./span-scan.ts";

class CountingBytes extends Uint8Array {
  searchedBytes = 0;

  override indexOf(byte: number, from = 0): number {
    const index = super.indexOf(byte, from);
    this.searchedBytes += (index === -1 ? this.length : index) - from;
    return index;
  }
}

describe("StringScanner", () => {
  test("stops behind the closing quote, or at the end of the chunk to go on in the next", () => {
    const stream = new SpanStream(new CollectingSink());
    const scanner = new StringScanner(stream);
    scanner.begin();
    const ends: [number, boolean][] = [];
    for (const chunk of ["ab\\", '"\\u00', `e9${"x".repeat(100)}`, '"rest"']) {
      stream.start(Buffer.from(chunk));
      scanner.startChunk();
      ends.push([scanner.scan(0), scanner.closed]);
      stream.endChunk();
    }
    expect(ends).toEqual([
      [3, false],
      [5, false],
      [102, false],
      [1, true],
    ]);
  });

  test("looks for control characters only behind what the sink vouches for", () => {
    const text = Buffer.from("A".repeat(500));
    text[300] = 1;
    const scanWith = (vouched: number) => {
      const stream = new SpanStream({ begin() {}, write: () => vouched, end() {} });
      const scanner = new StringScanner(stream);
      stream.start(text);
      stream.beginPayload(0, "routed_experts");
      scanner.begin();
      scanner.startChunk();
      return scanner.scan(0);
    };
    expect(scanWith(400)).toBe(500);
    expect(() => scanWith(100)).toThrow(SpanSyntaxError);
  });

  test("reads a text full of escapes and strings in one pass", () => {
    const text = new CountingBytes(Buffer.from(`${`${"x".repeat(80)}\\n`.repeat(2_000)}"`));
    const stream = new SpanStream(new CollectingSink());
    const scanner = new StringScanner(stream);
    stream.start(text);
    scanner.begin();
    scanner.startChunk();
    expect(scanner.scan(0)).toBe(text.length);
    expect(text.searchedBytes).toBeLessThanOrEqual(2 * text.length);
  });
});

describe("indexOfControl()", () => {
  test("finds the first one at any place and alignment, and nothing else", () => {
    for (let byteOffset = 0; byteOffset < 4; byteOffset += 1) {
      const bytes = new Uint8Array(new ArrayBuffer(400), byteOffset, 300);
      // All bytes that are allowed, top bits included.
      for (let index = 0; index < bytes.length; index += 1) bytes[index] = 0x20 + (index % 224);
      expect(indexOfControl(bytes, 0, bytes.length)).toBe(-1);
      for (let place = 0; place < bytes.length; place += 1) {
        const before = bytes[place] as number;
        bytes[place] = place % 32;
        expect(indexOfControl(bytes, 0, bytes.length)).toBe(place);
        expect(indexOfControl(bytes, place + 1, bytes.length)).toBe(-1);
        expect(indexOfControl(bytes, 3, place)).toBe(-1);
        bytes[place] = before;
      }
    }
  });
});
