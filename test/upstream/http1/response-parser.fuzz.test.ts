import { describe, expect, test } from "bun:test";
import { MalformedResponseError } from "../../../src/upstream/http1/malformed-response.ts";
import { TruncatedResponseError } from "../../../src/upstream/http1/truncated-response.ts";
import { type Random, randomFrom, seedOf } from "../../harness/random.ts";
import { type Ending, latin1, type ParsedResponse, parseResponse } from "./parsed-response.ts";

interface Generated {
  readonly method: string;
  readonly status: number;
  readonly headers: readonly [name: string, value: string][];
  readonly body: string;
  /** Whether the response ends with the connection only. */
  readonly untilClose: boolean;
  /** latin1 */
  readonly wire: string;
}

const random = randomFrom(seedOf("response parser"));

function text(from: Random, charactersMax: number): string {
  const characters = "aZ09 :;,=\"'\\\t\r\n\x01\x7f\xe9\xff\0";
  const length = from.integer(0, charactersMax);
  return Array.from({ length }, () => from.pick([...characters])).join("");
}

const headerValue = (from: Random): string =>
  text(from, 30)
    .replace(/[^\t\x20-\x7e\x80-\xff]/g, "")
    .trim();

/** White space behind a chunk size is right, but fetch takes none. */
const extensions = ["", "", ";a", ';a="b;c"'];
const blankExtensions = [...extensions, ' ; a="b;c"', "  "];

function chunked(body: string, from: Random, extensions: readonly string[]): string {
  let wire = "";
  for (let offset = 0; offset < body.length; ) {
    const size = from.integer(1, Math.max(1, body.length - offset));
    const digits = size.toString(16);
    const extension = from.pick(extensions);
    wire += `${from.pick(["", "000"])}${from.pick([digits, digits.toUpperCase()])}${extension}\r\n`;
    wire += `${body.slice(offset, offset + size)}\r\n`;
    offset += size;
  }
  return `${wire}0\r\n${from.pick(["", "", "x-t: 1\r\n", "a: b\r\nc: d\r\n"])}\r\n`;
}

function generate(from: Random, chunkExtensions = blankExtensions): Generated {
  const method = from.pick(["GET", "POST", "POST", "HEAD"]);
  const status = from.pick([200, 200, 200, 201, 204, 304, 400, 404, 500, 503]);
  const body = text(from, from.pick([0, 5, 50, 3_000]));
  const hasBody = method !== "HEAD" && status !== 204 && status !== 304;
  const framing = from.pick(["length", "chunked", "untilClose"]);
  const headers: [string, string][] = [];
  for (let count = from.integer(0, 5); count > 0; count -= 1) {
    headers.push([from.pick(["x-a", "x-b", "content-type", "set-cookie"]), headerValue(from)]);
  }
  if (framing === "length") headers.push(["content-length", String(body.length)]);
  if (framing === "chunked") headers.push(["transfer-encoding", "chunked"]);
  const version = framing === "chunked" ? "1.1" : from.pick(["1.0", "1.1"]);
  const reason = from.pick(["", " ", " OK", " No such \xe9"]);
  let wire = "";
  while (from.chance(0.2)) wire += "HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n";
  wire += `HTTP/${version} ${status}${reason}\r\n`;
  for (const [name, value] of headers) {
    const written = from.chance(0.5) ? name.toUpperCase() : name;
    wire += `${written}:${from.pick(["", " ", "\t "])}${value}${from.pick(["", " "])}\r\n`;
  }
  wire += "\r\n";
  if (hasBody) wire += framing === "chunked" ? chunked(body, from, chunkExtensions) : body;
  const untilClose = hasBody && framing === "untilClose";
  return { method, status, headers, body: hasBody ? body : "", untilClose, wire };
}

function* cut(bytes: Uint8Array, from: Random): Generator<Uint8Array> {
  const most = from.pick([1, 2, 7, 100, bytes.length + 1]);
  for (let offset = 0; offset < bytes.length; ) {
    const length = most === 1 ? 1 : from.integer(0, most);
    yield bytes.slice(offset, offset + length);
    offset += length;
  }
}

/** What must not depend on where the chunks were cut. */
function outcome(parsed: ParsedResponse) {
  const { head, body, ended, surplus, error } = parsed;
  return { head, body, ended, surplus, error: error?.name ?? null };
}

describe("ResponseParser, random responses", () => {
  test("gives what was sent, cut anywhere", () => {
    for (let round = 0; round < 3_000; round += 1) {
      const { method, status, headers, body, untilClose, wire } = generate(random);
      const ending: Ending = untilClose ? "clean" : "open";
      const parsed = parseResponse(cut(latin1(wire), random), { method, ending });
      expect(parsed.error).toBeNull();
      expect(parsed.head).toMatchObject({ status, headers: headers as [string, string][] });
      expect(parsed.body === body).toBe(true);
      expect([parsed.ended, parsed.surplus]).toEqual([true, false]);
    }
  });

  test("cut short it is truncated, never complete", () => {
    for (let round = 0; round < 1_000; round += 1) {
      const { method, untilClose, wire } = generate(random);
      if (untilClose) continue;
      const end = random.integer(0, wire.length - 1);
      const parsed = parseResponse(cut(latin1(wire.slice(0, end)), random), {
        method,
        ending: random.pick(["clean", "reset"]),
      });
      expect(parsed.error).toBeInstanceOf(TruncatedResponseError);
      expect(parsed.ended).toBe(false);
    }
  });

  test("with bytes changed, removed or added it fails or parses alike in every cut", () => {
    for (let round = 0; round < 4_000; round += 1) {
      const { method, wire } = generate(random);
      let mutated = wire;
      for (let count = random.integer(1, 3); count > 0; count -= 1) {
        const at = random.integer(0, mutated.length);
        const rest = mutated.slice(at + random.integer(0, 2));
        mutated = mutated.slice(0, at) + text(random, 2) + rest;
      }
      const ending = random.pick<Ending>(["clean", "reset", "open"]);
      const bytes = latin1(mutated);
      const whole = outcome(parseResponse([bytes], { method, ending }));
      const pieces = outcome(parseResponse(cut(bytes, random), { method, ending }));
      // A failure in a chunk may come before or after what the same chunk holds of the body.
      if (whole.error !== null) {
        expect(pieces.error).toBe(whole.error);
        expect([MalformedResponseError.name, TruncatedResponseError.name]).toContain(whole.error);
      } else expect(pieces).toEqual(whole);
    }
  });
});

describe("ResponseParser against the runtime's fetch", () => {
  test("gives the same status, headers and body", async () => {
    let wire = "";
    const server = Bun.listen({
      hostname: "127.0.0.1",
      port: 0,
      socket: {
        data(socket) {
          socket.write(latin1(wire));
          socket.shutdown();
        },
      },
    });
    try {
      for (let round = 0; round < 150; round += 1) {
        const generated = generate(random, extensions);
        wire = generated.wire;
        const { method } = generated;
        const response = await fetch(`http://127.0.0.1:${server.port}/`, {
          method,
          redirect: "manual",
          keepalive: false,
        });
        const parsed = parseResponse([latin1(wire)], { method, ending: "clean" });
        expect(parsed.head?.status).toBe(response.status);
        const headers = new Headers();
        for (const [name, value] of parsed.head?.headers ?? []) headers.append(name, value);
        expect([...headers]).toEqual([...response.headers]);
        expect(parsed.body).toBe(Buffer.from(await response.bytes()).toString("latin1"));
      }
    } finally {
      server.stop(true);
    }
  });
});
