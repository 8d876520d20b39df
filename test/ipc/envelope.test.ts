import { describe, expect, test } from "bun:test";
import { decodeEnvelope, EnvelopeError, encodeEnvelope, joined } from "../../src/ipc/envelope.ts";
import { concat } from "./fake-byte-stream.ts";

const bytes = (text: string) => new TextEncoder().encode(text);

describe("decodeEnvelope", () => {
  test("gives back what was encoded, wherever the payload is cut", () => {
    const meta = { text: "é你\u{1f600}", list: [1, null, ["a", "b"]] };
    const body = bytes("a body");
    const payload = concat(encodeEnvelope(meta, [body]));
    for (let cut = 0; cut <= payload.byteLength; cut++) {
      const decoded = decodeEnvelope([payload.subarray(0, cut), payload.subarray(cut)]);
      expect(decoded.meta).toEqual(meta);
      expect(concat(decoded.body)).toEqual(body);
    }
  });

  test("hands the body on as slices of what arrived", () => {
    const payload = concat(encodeEnvelope({}, [bytes("body")]));
    expect(decodeEnvelope([payload]).body.map((slice) => slice.buffer)).toEqual([payload.buffer]);
  });

  test("refuses payloads that do not hold what they say", () => {
    const withMeta = (text: Uint8Array) => {
      const head = new Uint8Array(8);
      head[7] = text.byteLength;
      return [head, text];
    };
    const refused: Uint8Array[][] = [
      [],
      [new Uint8Array(7)],
      [Uint8Array.of(0, 0, 0, 0, 0, 0, 0, 1)],
      [new Uint8Array(8).fill(255)],
      withMeta(bytes("")),
      withMeta(bytes("{")),
      withMeta(bytes("{}{}")),
      withMeta(Uint8Array.of(0x22, 0xff, 0x22)),
    ];
    for (const payload of refused) expect(() => decodeEnvelope(payload)).toThrow(EnvelopeError);
  });
});

describe("joined", () => {
  test("joins slices in order, also none", () => {
    expect(joined([bytes("ab"), bytes("c")])).toEqual(bytes("abc"));
    expect(joined([])).toEqual(new Uint8Array(0));
  });

  test("hands a lone slice on, unless it would keep a much larger chunk in memory", () => {
    const chunk = new Uint8Array(1_000);
    const most = chunk.subarray(100);
    const little = chunk.subarray(0, 10);
    expect(joined([most])).toBe(most);
    expect(joined([little]).buffer.byteLength).toBe(10);
    // What sockets deliver: `slice` of a Buffer would be no copy.
    expect(joined([Buffer.from(chunk.buffer, 0, 10)]).buffer.byteLength).toBe(10);
  });
});
