import { describe, expect, test } from "bun:test";
import { InvalidRequestError } from "../../src/errors.ts";
import { describeKind, requestObject, requestText } from "../../src/json/request-object.ts";
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
