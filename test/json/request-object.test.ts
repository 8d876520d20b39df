import { describe, expect, test } from "bun:test";
import { InvalidRequestError } from "../../src/errors.ts";
import type { KnownItems } from "../../src/json/known-items.ts";
import {
  describeKind,
  readRequestDocument,
  requestObject,
  requestText,
} from "../../src/json/request-object.ts";
import { JsonFloat, type JsonValue } from "../../src/json/values.ts";

describe("requestText()", () => {
  test("decodes UTF-8 without its byte order mark", () => {
    expect(requestText(Buffer.from("\ufeff{é}"), 100)).toBe("{é}");
  });

  test("refuses other bytes, and too many", () => {
    const wrong = () => requestText(Uint8Array.of(0x22, 0xff, 0x22), 100);
    expect(wrong).toThrow(new InvalidRequestError("invalid JSON body: not UTF-8"));
    expect(() => requestText(Buffer.from("12345"), 4)).toThrow(
      "request body of 5 bytes is too large: at most 4 are accepted",
    );
  });
});

describe("requestObject()", () => {
  test("reads an object; nothing is an empty one", () => {
    expect(requestObject('{"a":1}')).toEqual(new Map([["a", 1]]));
    expect(requestObject("")).toEqual(new Map());
  });

  test("refuses what is none, with the place", () => {
    expect(() => requestObject('{"a"')).toThrow(/^invalid JSON body: .*line 1/);
    expect(() => requestObject("[]")).toThrow("request body must be a JSON object, got a list");
  });
});

describe("readRequestDocument()", () => {
  const beginning = '[{"a":1},{"b":"é"}';
  const stored: JsonValue[] = [new Map([["a", 1]]), new Map([["b", "é"]])];

  function read(text: string | Uint8Array, isKnown = true) {
    const known: KnownItems = {
      member: "list",
      bytes: Buffer.from(beginning),
      segments: isKnown ? [{ end: Buffer.byteLength(beginning), itemCount: 2 }] : [],
      items: stored,
      matchedSegments: 7,
    };
    const document = readRequestDocument(Buffer.from(text as string), 1_000, known);
    return { ...document, matched: known.matchedSegments };
  }

  /** The message of the refusal; the value when there is none. */
  function outcome(text: string | Uint8Array, isKnown: boolean): unknown {
    try {
      return read(text, isKnown).object;
    } catch (error) {
      return error instanceof InvalidRequestError ? error.message : error;
    }
  }

  test("takes known items over and reads the rest", () => {
    const { object, text, members, matched } = read(`{"x":"é","list": ${beginning} ,3],"y":[4]}`);
    expect(matched).toBe(1);
    const list = object.get("list") as JsonValue[];
    expect(list[0]).toBe(stored[0] as JsonValue);
    expect(list[1]).toBe(stored[1] as JsonValue);
    expect(list[2]).toBe(3);
    expect(object.get("y")).toEqual([4]);
    expect(text).toBe('{"x":"é","list": [ ,3],"y":[4]}');
    expect(members.map(({ valueStart, end }) => text.slice(valueStart, end))).toEqual([
      '"é"',
      "[ ,3]",
      "[4]",
    ]);
  });

  test("does not change the values of the caller", () => {
    read(`{"list":${beginning},3]}`);
    expect(stored).toHaveLength(2);
  });

  test.each([
    `{"list":${beginning}]}`,
    `\ufeff{"list":${beginning},{"c":3}]}`,
    `{"list":${beginning},3],"list":[5]}`,
    `{"list":[5],"list":${beginning},3]}`,
    `{"nested":{"list":${beginning},3]},"list":${beginning}]}`,
    `{"text":"\\"list\\":","list":${beginning}]}`,
    `{"nested":{"list":${beginning},3]}}`,
    `{"nested":{"list":${beginning}]}}`,
    `{"nested":{"list":${beginning}]},"list":[5]}`,
    `{"list":${beginning}],"list":[5]}`,
    `{"other":["list",${beginning}]]}`,
    `["list",${beginning}]]`,
    `{"list":${beginning},"x":1}]}`,
    `{"list":${beginning}}`,
    `{"list":${beginning},]}`,
    `{"list":${beginning}]} x`,
    `{"list":${beginning}\ufeff]}`,
    `{"list":${beginning},${"[".repeat(2_000)}]}`,
    `{"list":${beginning}`,
    `x{"list":${beginning}]}`,
    Buffer.concat([Buffer.from(`{"list":${beginning},"`), Uint8Array.of(0xff, 0x22, 0x5d, 0x7d)]),
    `{"list":${beginning},"${"x".repeat(1_000)}"]}`,
  ])("gives the value or the refusal of the whole document: %#", (text) => {
    expect(outcome(text, true)).toEqual(outcome(text, false));
  });
});

test.each([
  [null, "null"],
  [[], "a list"],
  ["", "a string"],
  [true, "a boolean"],
  [1, "a number"],
  [new JsonFloat(1), "a number"],
  [new Map(), "an object"],
] as [JsonValue, string][])("describeKind(%p) is %s", (value, kind) => {
  expect(describeKind(value)).toBe(kind);
});
