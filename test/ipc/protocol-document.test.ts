/** docs/ipc-protocol.md is the specification: its tables are read and held against the code. */
import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { ByteWriter } from "../../src/ipc/byte-writer.ts";
import { decodeEnvelope, encodeEnvelope } from "../../src/ipc/envelope.ts";
import {
  byteLengthOf,
  encodeFrameHead,
  FrameError,
  type FrameType,
  frameTypes,
} from "../../src/ipc/frame.ts";
import { FrameReader } from "../../src/ipc/frame-reader.ts";
import { LaneReader } from "../../src/ipc/lane-reader.ts";
import { LaneSender } from "../../src/ipc/lane-sender.ts";
import { encodeLaneToken } from "../../src/ipc/lane-token.ts";
import {
  decodeReply,
  decodeRequest,
  encodeReply,
  encodeRequest,
  type ReplyMeta,
} from "../../src/ipc/operation-message.ts";
import type { Operation } from "../../src/operation.ts";
import { concat, FakeByteStream } from "./fake-byte-stream.ts";

const document = await Bun.file(join(import.meta.dir, "../../docs/ipc-protocol.md")).text();

/** The rows of the table whose first column has this heading. */
function table(heading: string): Map<string, string> {
  const lines = document.split("\n");
  const start = lines.findIndex((line) => line.startsWith(`| ${heading} |`));
  if (start < 0) throw new Error(`no table of ${heading}`);
  const rows = new Map<string, string>();
  for (const line of lines.slice(start + 2)) {
    const cells = /^\| (.+?) \| (.+) \|$/.exec(line);
    if (cells === null) break;
    rows.set(cells[1] ?? "", cells[2] ?? "");
  }
  return rows;
}

const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
const bytes = (value: string) => new TextEncoder().encode(value);
const fromHex = (spaced: string) => Uint8Array.fromHex(spaced.replaceAll(" ", ""));
const token = "00112233445566778899aabbccddeeff";

function frame(requestId: number, type: FrameType, payload: readonly Uint8Array[]): Uint8Array {
  return concat([encodeFrameHead(requestId, type, byteLengthOf(payload)), ...payload]);
}

async function lane(chunks: readonly string[]): Promise<Uint8Array> {
  const stream = new FakeByteStream();
  async function* source() {
    for (const chunk of chunks) yield bytes(chunk);
  }
  await new LaneSender(source(), new ByteWriter(stream)).run();
  return stream.written;
}

describe("exact bytes", () => {
  const cases: Record<string, () => Uint8Array | Promise<Uint8Array>> = {
    'REQUEST 1, payload "hi"': () => frame(1, frameTypes.request, [bytes("h"), bytes("i")]),
    "REPLY 4294967298, empty payload": () => frame(2 ** 32 + 2, frameTypes.reply, []),
    'ERROR 3, payload "no"': () => frame(3, frameTypes.error, [bytes("no")]),
    [`LANE, token ${token}`]: () => frame(0, frameTypes.lane, [encodeLaneToken(token)]),
    'envelope, meta {}, body "body"': () => concat(encodeEnvelope({}, [bytes("body")])),
    'lane, chunks "ab" and "c", complete': () => lane(["ab", "c"]),
    "lane, no chunk, complete": () => lane([]),
  };
  const rows = table("what | hex");

  test("every row of the document has a case, and every case a row", () => {
    expect([...rows.keys()]).toEqual(Object.keys(cases));
  });

  for (const [what, encode] of Object.entries(cases)) {
    test(`${what} is encoded as documented`, async () => {
      expect(await encode()).toEqual(fromHex(rows.get(what) ?? ""));
    });
  }

  test("documented frames are read as what they say", () => {
    const read = (what: string) =>
      new FrameReader()
        .push(fromHex(rows.get(what) ?? ""))
        .map((found) => [found.requestId, found.type, text(concat(found.payload))]);
    expect(read('REQUEST 1, payload "hi"')).toEqual([[1, 1, "hi"]]);
    expect(read("REPLY 4294967298, empty payload")).toEqual([[4294967298, 2, ""]]);
    expect(read('ERROR 3, payload "no"')).toEqual([[3, 3, "no"]]);
  });

  test("documented envelopes and lanes are read as what they say", () => {
    const envelope = decodeEnvelope([fromHex(rows.get('envelope, meta {}, body "body"') ?? "")]);
    expect([envelope.meta, text(concat(envelope.body))]).toEqual([{}, "body"]);
    const reader = new LaneReader();
    const slices = reader.push(fromHex(rows.get('lane, chunks "ab" and "c", complete') ?? ""));
    expect([slices.map(text), reader.complete]).toEqual([["ab", "c"], true]);
  });
});

describe("garbage", () => {
  for (const [what, hex] of table("garbage")) {
    test(`${what} is refused`, () => {
      expect(() => new FrameReader().push(fromHex(hex))).toThrow(FrameError);
    });
  }
});

describe("types", () => {
  test("the table of frame types is the code's", () => {
    const rows = [...table("type | name")].map(([type, rest]) => [
      rest.split(" | ")[0]?.toLowerCase(),
      Number(type),
    ]);
    expect(Object.fromEntries(rows)).toEqual(frameTypes);
  });
});

describe("messages", () => {
  const rows = table("message");

  test("the members of a reply are the documented ones", () => {
    const members = [...table("member").keys()].map((cell) => cell.replaceAll("`", ""));
    const reply = JSON.parse(rows.get("reply with its body behind it") ?? "");
    expect(members).toEqual(Object.keys(reply));
  });

  for (const [message, json] of rows) {
    test(`${message} is encoded and decoded as documented`, () => {
      const payload = encodeEnvelope(JSON.parse(json), [bytes("ok")]);
      expect(text(concat(payload).subarray(8))).toBe(`${json}ok`);
      if (message.startsWith("reply")) {
        const { meta, body } = decodeReply(payload);
        expect(JSON.stringify(meta)).toBe(json);
        expect(encodeReply(meta satisfies ReplyMeta, body)).toEqual(payload);
      } else {
        const { operation, body } = decodeRequest(payload);
        expect(JSON.stringify(operation)).toBe(json);
        expect(encodeRequest(operation satisfies Operation, body)).toEqual(payload);
      }
    });
  }
});
