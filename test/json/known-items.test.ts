import { describe, expect, test } from "bun:test";
import { findKnownItems, type KnownItems, matchedBytes } from "../../src/json/known-items.ts";

const first = '[{"a":"é"}';
const second = ',{"b":2}';
const firstEnd = Buffer.byteLength(first);
const secondEnd = firstEnd + second.length;

function knownItems(): KnownItems {
  return {
    member: "messages",
    // What stands behind the last segment is none of them.
    bytes: Buffer.from(`${first}${second}???`),
    segments: [
      { end: firstEnd, itemCount: 1 },
      { end: secondEnd, itemCount: 2 },
    ],
    items: [],
    matchedSegments: 0,
  };
}

const find = (text: string) => findKnownItems(Buffer.from(text), knownItems());

describe("findKnownItems()", () => {
  test("finds all segments behind the member's name, with any white space", () => {
    const head = '{"x":"é","messages"\t: \r\n';
    const start = Buffer.byteLength(head);
    const end = start + secondEnd;
    expect(find(`${head}${first}${second}]}`)).toEqual({ start, end, segmentCount: 2 });
    expect(find(`${head}${first}${second}`)).toEqual({ start, end, segmentCount: 2 });
  });

  test("finds those before the one where the document goes on differently", () => {
    const start = '{"messages":'.length;
    const end = start + firstEnd;
    for (const rest of ["]}", ',{"b":3}]}', second.slice(0, -1), ""]) {
      expect(find(`{"messages":${first}${rest}`)).toEqual({ start, end, segmentCount: 1 });
    }
  });

  test("looks on behind a text that only looks like the name", () => {
    const head = '{"x":"messages","messages" :[],"messages":';
    expect(find(`${head}${first}]}`)?.start).toBe(head.length);
  });

  test("finds nothing where nothing is repeated, or nothing is known", () => {
    for (const text of ["", "{}", '{"messages"', '{"messages":', '{"messages":[]}', first]) {
      expect(find(text)).toBeNull();
    }
    const nothing: KnownItems = { ...knownItems(), segments: [] };
    expect(findKnownItems(Buffer.from(`{"messages":${first}]}`), nothing)).toBeNull();
  });

  test("finds them in a view of a larger buffer", () => {
    const buffer = Buffer.from(`??{"messages":${first}]}`);
    const start = '{"messages":'.length;
    expect(findKnownItems(buffer.subarray(2), knownItems())?.start).toBe(start);
  });
});

test("matchedBytes() is the text of the segments that were matched", () => {
  const known = knownItems();
  const text = () => Buffer.from(matchedBytes(known)).toString();
  expect(text()).toBe("");
  known.matchedSegments = 1;
  expect(text()).toBe(first);
  known.matchedSegments = 2;
  expect(text()).toBe(first + second);
});
