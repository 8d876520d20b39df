import { describe, expect, test } from "bun:test";
import { integersEnd, NumberScanner } from "../../src/json/span-number.ts";
import { SpanStream } from "../../src/json/span-stream.ts";
import { CollectingSink } from "./span-scan.ts";

/** How much of the text is one number; throws when it is none. */
function numberLength(text: string): number {
  const stream = new SpanStream(new CollectingSink());
  const scanner = new NumberScanner(stream);
  scanner.begin(text.charCodeAt(0));
  let length = 1;
  for (const letter of text.slice(1)) {
    stream.start(Buffer.from(letter));
    length += scanner.scan(0);
    stream.endChunk();
    if (scanner.closed) return length;
  }
  scanner.endDocument();
  return length;
}

describe("NumberScanner", () => {
  test("takes what JSON calls a number, however it is cut", () => {
    for (const text of ["0", "-0", "10", "-12.340", "0.0", "1e5", "1E+05", "2.5e-0", "0e0"]) {
      expect(numberLength(text)).toBe(text.length);
      expect(numberLength(`${text},`)).toBe(text.length);
    }
    expect(numberLength("01")).toBe(1);
    expect(numberLength("1.5.2")).toBe(3);
    expect(numberLength("1e5e5")).toBe(3);
    expect(numberLength("1-")).toBe(1);
  });

  test("rejects what stops too early", () => {
    for (const text of ["-", "-,", "1.", "1.,", "1.e5", "1e", "1e+", "-x", "1e.5"]) {
      expect(() => numberLength(text)).toThrow("a digit");
    }
  });

  test("hands -Infinity back at its second letter", () => {
    const stream = new SpanStream(new CollectingSink());
    const scanner = new NumberScanner(stream);
    stream.start(Buffer.from("-Infinity"));
    scanner.begin(0x2d);
    expect([scanner.scan(1), scanner.isNegativeInfinity]).toEqual([1, true]);
  });
});

describe("integersEnd()", () => {
  test.each([
    ["1,20,0,305]", 10],
    ["1,2,x", 3],
    ["1,2,03,4]", 3],
    ["1,-2]", 1],
    ["1,2.5]", 1],
    ["1, 2]", 1],
    ["1,2", 1],
    ["12", -1],
    ["1}", -1],
    ["1.5,2]", -1],
    ["00]", -1],
    ["1,[2]]", 1],
    ["7,]", 1],
  ])("of %j is %d", (text, end) => {
    expect(integersEnd(Buffer.from(text), 0)).toBe(end);
  });
});
